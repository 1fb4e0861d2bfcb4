"""The metrics, one module each, and `register`, which lists them.

A metric's module exports METRIC, its entry in the register. To add a metric, write such a module and name it in
`register.BUILT_IN_METRICS`; other packages name their METRIC in the entry point group `bleu_core.metrics`.
"""
