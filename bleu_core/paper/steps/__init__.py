"""The steps of the paper: one module for each, and `register`, which lists them in the order of the paper.

A step's module exports STEP, which declares its computation, numbers in the JSON, tables and notes. To add
a step, write such a module and name it in `register.MODULES`; `shared` has what several steps have in common.
"""
