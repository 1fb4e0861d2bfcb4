"""The steps of the paper: one module for each, and `register`, which lists them in the order of the paper.

A step's module exports STEP: what it computes, its numbers in the JSON, its tables, its figures and its notes. To add
a step, write such a module and name it in `register.MODULES`; `shared` has what several steps have in common.
"""
