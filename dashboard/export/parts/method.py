"""Method: signatures, versions, files with their digests, and commands that reproduce the numbers."""

from __future__ import annotations

import platform
from importlib.metadata import version

from bleu_core.dataset import plural
from bleu_core.errors import BleuCoreError
from bleu_core.results.significance import methods
from bleu_core.version import VERSION
from dashboard import words
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source

#: Packages whose versions may affect numbers.
PACKAGES = ("sacrebleu", "numpy", "scipy")


def method(source: Source) -> Section:
    """Return the information needed to reproduce the numbers."""
    data = source.data
    view = data.view
    sentences: list[str] = []
    if source.has_pair:
        try:
            sentences.append(methods(data.comparisons, data.scored, view.compared))
        except BleuCoreError:  # the part about significance gives the reason
            sentences.clear()
    counts = {
        "segment": view.evaluation.segments,
        "reference": len(view.evaluation.references),
        "system": len(view.compared.systems),
    }
    sentences.append(f"{', '.join(f'{count:,} {plural(count, noun)}' for noun, count in counts.items())}.")
    sentences.append(words.slice_to_quote(view.slice, descriptive=view.descriptive).strip())
    sentences.append(words.repairs_to_quote((view.whole or view).workspace).strip())
    versions = [f"bleu-dashboard {VERSION}", f"Python {platform.python_version()}"]
    versions += [f"{name} {version(name)}" for name in PACKAGES]
    signatures = {"BLEU": view.evaluation.signature, data.scored.label: data.scored.signature}
    digests = "\n".join(f"{file.sha256}  {file.name}" for file in source.files if file.sha256)
    return Section(
        PART.key,
        PART.title,
        tuple(filter(None, sentences)),
        code=(
            *(f"Signature of {label}: {signature}" for label, signature in signatures.items()),
            f"Versions: {', '.join(versions)}",
            f"Digest of the texts: {view.evaluation.digest}",
            *((f"SHA-256 of the files:\n{digests}",) if digests else ()),
        ),
        calls=source.calls,
    )


PART = Part("method", "Method", method)
