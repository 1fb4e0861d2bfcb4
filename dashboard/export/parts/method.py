"""Method: signatures, versions, files with their digests, and commands that compute the same numbers."""

from __future__ import annotations

import platform
from importlib.metadata import version

from bleu_core.errors import BleuCoreError
from bleu_core.fields import Field, Table
from bleu_core.reports import methods
from bleu_core.version import VERSION
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source

#: Packages whose versions numbers can depend on.
PACKAGES = ("sacrebleu", "numpy", "scipy")

FILES = {
    "file": Field("text", "Name of the file."),
    "role": Field("text", "What it holds."),
    "sha256": Field("text", "SHA-256 of its bytes, in hexadecimal."),
}


def method(source: Source) -> Section:
    """What someone needs who wants to compute the same numbers."""
    material = source.material
    view = material.view
    sentences: list[str] = []
    if source.has_pair:
        try:
            sentences.append(methods(material.comparisons, material.scored, view.compared))
        except BleuCoreError:  # the part about significance says why
            sentences.clear()
    count = f"{view.evaluation.segments:,} segments, {len(view.evaluation.references)} references"
    sentences.append(f"{count}, {len(view.compared.systems)} systems.")
    sentences.append(words.slice_to_quote(view.slice, descriptive=analysis.only_describes()).strip())
    sentences.append(words.repairs_to_quote((view.whole or view).workspace).strip())
    versions = [f"bleu-dashboard {VERSION}", f"Python {platform.python_version()}"]
    versions += [f"{name} {version(name)}" for name in PACKAGES]
    signatures = {"BLEU": view.evaluation.signature, material.scored.label: material.scored.signature}
    files = Table(FILES, tuple((file.name, file.role, file.sha256) for file in source.files))
    return Section(
        PART.key,
        PART.title,
        tuple(filter(None, sentences)),
        tables=(files,) if files.rows else (),
        code=(
            *(f"Signature of {label}: {signature}" for label, signature in signatures.items()),
            f"Versions: {', '.join(versions)}", f"Digest of the texts: {view.evaluation.digest}",
        ),
        calls=source.calls,
    )


PART = Part("method", "Method", method)
