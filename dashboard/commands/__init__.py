"""Commands that the dashboard supplies to `bleu-core`, by the entry point group `bleu_core.commands`."""
