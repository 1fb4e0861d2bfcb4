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

# Run what takes too long for every change (kills, calibration, all choices of all pages, the fuzzers), and limits on
# time; resume an interrupted run. `--list` lists the tests
nightly *options:
    uv run --extra test python -m tests.nightly {{ options }}

# Check style, types and imports
check:
    uv run --extra test --extra check ruff format --check .
    uv run --extra test --extra check ruff check .
    uv run --extra test --extra check pyright
    uv run --extra test --extra check lint-imports --no-logo

# Print what pages and commands show otherwise than at a commit; options are those of bleu-dashboard (default: sample data)
golden commit *options:
    uv run --extra test python -m tests.golden {{ commit }} {{ options }}

# Time counting beside other scorers
bench *options:
    uv run --extra benchmarks python -m tests.benchmarks {{ options }}

# Write the schemas of JSON into docs/schemas and docs/json.md, and docs/headlines.md
docs:
    uv run --extra test python -m tests.schemas
    uv run --extra test python -m tests.headlines
