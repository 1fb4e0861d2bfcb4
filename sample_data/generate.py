"""Write the sample data: `python -m sample_data.generate [--into FOLDER] [--check]`.

The same seed gives the same bytes on every machine: only the integer methods of `random.Random` decide.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sample_data import FOLDER
from sample_data.judges import Rating, judge
from sample_data.meanings import SEED, Meaning, document_names, meanings
from sample_data.profiles import REFERENCES, SYSTEMS, Profile, translate
from sample_data.targets import targets


@dataclass(frozen=True, slots=True)
class Data:
    """Everything that is written.

    Attributes:
        documents: the document of every segment.
        systems: the lines of every system.
        references: the lines of every reference.
        ratings: what the judges say.
    """

    documents: tuple[str, ...]
    systems: Mapping[str, tuple[str, ...]]
    references: Mapping[str, tuple[str, ...]]
    ratings: tuple[Rating, ...]

    def files(self) -> dict[str, bytes]:
        """Return the content of every file by its path inside the folder."""
        texts = {
            "documents.txt": self.documents,
            **{f"systems/{name}.txt": lines for name, lines in self.systems.items()},
            **{f"references/{name}.txt": lines for name, lines in self.references.items()},
            "judgments.csv": (
                "segment,system,judge,group,score,document",
                *(
                    f"{one.segment},{one.system},{one.judge},{one.group},{one.score},{self.documents[one.segment - 1]}"
                    for one in self.ratings
                ),
            ),
        }
        return {name: ("\n".join(lines) + "\n").encode() for name, lines in texts.items()}


def generate(systems: Sequence[Profile] = SYSTEMS, references: Sequence[Profile] = REFERENCES) -> Data:
    """Make the data, in memory."""
    told: tuple[Meaning, ...] = meanings()
    names = document_names()
    translated = {profile.name: translate(profile, told) for profile in systems}
    return Data(
        documents=tuple(names[meaning.document] for meaning in told),
        systems={name: lines for name, (lines, _) in translated.items()},
        references={profile.name: translate(profile, told)[0] for profile in references},
        ratings=judge({name: mistakes for name, (_, mistakes) in translated.items()}, SEED),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them, and print every target beside what was reached."""
    parser = argparse.ArgumentParser(prog="python -m sample_data.generate", description="Write the sample data.")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where the files go")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the files differ")
    options = parser.parse_args(arguments)
    folder: Path = options.into

    data = generate()
    different: list[str] = []
    for name, content in data.files().items():
        path = folder / name
        if options.check:
            if not path.is_file() or path.read_bytes() != content:
                different.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for target in targets(data.systems, data.references, data.ratings):
        print(target)
    for name in different:
        print(f"{folder / name} is not what the generator writes", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
