"""The manifest in docs/collections.md, with the files that it names."""

from __future__ import annotations

import re
from pathlib import Path

from bleu_core.collection import load_collection
from bleu_core.formats import parse_release_name
from bleu_core.scoring import BleuSettings

DOCUMENT = Path(__file__).parents[2] / "docs" / "collections.md"
TEXT = "the cat sits on the mat\nit rains in the north\n"
CONTENTS = {
    "documents.txt": "a\nb\n",
    "human.csv": "system,segment,judge,score\nother,1,j,3\nother,2,j,4\n",
    "ter.tsv": "system\tsegment\tmetric\tscore\nother\t1\tTER\t3\nother\t2\tTER\t4\n",
}


def test_the_manifest_of_the_documentation_describes_its_files(tmp_path: Path) -> None:
    manifest, listing = re.findall(r"```(?:toml)?\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    paths = listing.split()
    for name in paths:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(CONTENTS.get(Path(name).name, f"{TEXT.replace('cat', name)}"), encoding="utf-8")
    (tmp_path / "bleu.toml").write_text(manifest, encoding="utf-8")
    collection = load_collection(tmp_path)
    german, chinese = (test_set.read() for test_set in collection.sets)
    assert sum(len(test_set.files) for test_set in collection.sets) == len(paths)
    assert (german.unused, chinese.unused) == ((), ())
    assert sorted(german.corpus.systems) == ["base.s1", "base.s2", "other"]
    assert sorted(chinese.corpus.systems) == ["base.s1", "other"]
    assert list(chinese.corpus.references) == ["ref.A", "ref.B"]
    assert [(table.name, table.higher_is_better) for table in german.scores] == [("TER", False)]
    assert german.judgments is not None
    assert collection.groups == {"base": ("base.s1", "base.s2")}
    assert [(test_set.name, test_set.languages) for test_set in collection.sets] == [
        ("en-de", "en-de"),
        ("news in Chinese", "en-zh"),
    ]
    assert [collection.settings_for(own, BleuSettings()) for own in collection.sets] == [
        BleuSettings(tokenizer="13a"),
        BleuSettings(tokenizer="zh", lowercase=True, max_order=4),
    ]


def test_the_names_of_releases_in_the_documentation_are_read_so() -> None:
    rows = re.findall(
        r"^ *\| `(\S+?)`.*? \| (\S+)[^|]* \| ([^|]+) \| ([^|]*)\|$", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) == 6
    for file_name, test_set, role, name in rows[:5]:
        release = parse_release_name(file_name)
        assert release is not None
        assert (release.test_set, release.role or "by content", release.name) == (test_set, role, name.strip())
