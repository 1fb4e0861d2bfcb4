"""Commands that the dashboard adds to `bleu-core`, by the entry point group `bleu_core.commands`."""
