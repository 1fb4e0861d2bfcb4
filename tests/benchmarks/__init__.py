"""Side-by-side timings; `python -m tests.benchmarks` prints them."""
