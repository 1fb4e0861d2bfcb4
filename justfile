# Tasks of everyday work; `just` lists them. Each is one command, which works without `just` too.

[private]
default:
    @just --list

# Start the dashboard with the sample data
run *options:
    uv run bleu-dashboard {{ options }}

# Run all tests
test *options:
    uv run --extra test pytest {{ options }}

# Run the tests that need no browser, on all cores
test-fast *options:
    uv run --extra test pytest --ignore tests/browser --numprocesses auto --dist loadfile {{ options }}

# Run what takes too long for every change (kills, calibration, all choices of all pages, the fuzzers), and limits on time
nightly:
    uv run --extra test pytest -m slow --numprocesses auto --dist loadfile
    BLEU_EXAMPLES=400 uv run --extra test pytest -m hypothesis --numprocesses auto --dist loadfile
    BLEU_TIME_LIMITS=1 uv run --extra test pytest -m 'slow or not slow' tests/formats tests/uploads tests/agreement tests/judges tests/diagnostics tests/collection
    uv run --extra test python -m tests.fuzz counting --minutes 10
    uv run --extra test python -m tests.fuzz files --mutants 20000

# Check style, types and imports
check:
    uv run --extra test --extra check ruff format --check .
    uv run --extra test --extra check ruff check .
    uv run --extra test --extra check pyright
    uv run --extra test --extra check lint-imports --no-logo

# Time counting beside other scorers
bench *options:
    uv run --extra benchmarks python -m tests.benchmarks {{ options }}

# Write the schemas of JSON into docs/schemas and docs/json.md, and docs/headlines.md
docs:
    uv run --extra test python -m tests.schemas
    uv run --extra test python -m tests.headlines
