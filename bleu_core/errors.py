"""What can go wrong with files and settings, as errors that say what to do.

Every message is one line and names the file, the line (1-based), what was found and what was expected.
"""


class BleuCoreError(ValueError):
    """Any mistake in what a person gave: a file, its alignment, a setting."""


class FormatError(BleuCoreError):
    """A file cannot be read as what it should be."""


class AlignmentError(BleuCoreError):
    """Files are each readable but do not fit together."""


class SettingsError(BleuCoreError):
    """A setting has a value that means nothing."""
