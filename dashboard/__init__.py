"""The dashboard: reads bleu_core, draws pages. No number is computed here."""
