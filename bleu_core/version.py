"""The version, once: pyproject.toml reads it here, since reading an installed package's metadata takes too long."""

VERSION = "0.2.0"
