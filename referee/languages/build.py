"""Merge the referee's sentences into the catalogues and compile them: `python -m referee.languages.build [--check]`.

A sentence that is new or was changed stands untranslated, with its key as a comment; translations of sentences that are no
longer said are dropped, and none is guessed. The same catalogue compiles to the same bytes everywhere. Needs Babel (extra
`dev`); what runs needs only the compiled files.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

from models.errors import BadInput
from models.files import replacing
from referee.language import DOMAIN, FOLDER
from referee.table_texts import TABLE
from referee.texts import DISCREPANCIES, FLAGS, MESSAGES, READINGS, WORDS

if TYPE_CHECKING:
    from babel.messages import Catalog

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "word": WORDS,
    "message": MESSAGES,
    "reading": READINGS,
    "flag": FLAGS,
    "discrepancy": DISCREPANCIES,
    "table": TABLE,
}
HEADER: Final = "# What the referee says. Translate msgstr, keep what stands in braces, then: python -m referee.languages.build"
BRACES: Final = "python-brace-format"
"""Tells editors of catalogues which sentences have values in braces."""


def sentences() -> dict[str, list[str]]:
    """Every English sentence and the keys that it stands under."""
    found: dict[str, list[str]] = {}
    for group, texts in GROUPS.items():
        for key, english in texts.items():
            found.setdefault(english, []).append(f"{group} {key}")
    return found


def placeholders(sentence: str) -> list[str]:
    """The values that a sentence asks for, with their formats, in alphabetical order."""
    return sorted(f"{name}:{spec}" for _, name, spec, _ in Formatter().parse(sentence) if name is not None)


def languages() -> tuple[str, ...]:
    """Codes of the languages that have a catalogue to translate in."""
    return tuple(sorted(path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))


def catalogue(code: str) -> Path:
    """Where a language's catalogue stands."""
    return FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def merge(code: str, text: bytes) -> tuple[bytes, bytes]:
    """A catalogue brought up to date.

    Parameters
    ----------
    text : bytes
        The catalogue as it stands; empty for a new language.

    Returns
    -------
    po, mo : bytes
        The catalogue with all sentences of today, and what it compiles to.

    Raises
    ------
    BadInput
        If `text` is no catalogue.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po, write_po

    try:
        old = read_po(io.BytesIO(text), abort_invalid=True)
    except (PoFileError, ValueError) as e:
        raise BadInput(f"{catalogue(code)}: {e}") from e
    new = _empty(code)
    for english, keys in sentences().items():
        had = old.get(english)
        said = had.string if had is not None and not had.fuzzy else ""
        entry = new.add(english, said, auto_comments=keys, user_comments=had.user_comments if had else ())
        entry.flags = {BRACES} if placeholders(english) else set()
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, new, width=0)
    write_mo(mo, new)
    return po.getvalue(), mo.getvalue()


def faults(code: str) -> Iterator[str]:
    """What is missing, wrong or stale in a language's files, a line each."""
    from babel.messages.pofile import read_po

    path = catalogue(code)
    text = path.read_bytes()
    po, mo = merge(code, text)
    for entry in read_po(io.BytesIO(po)):
        if not entry.id:
            continue
        where = f"{code}: {', '.join(entry.auto_comments)}"
        if not entry.string:
            yield f"{where}: not translated"
        elif placeholders(str(entry.string)) != placeholders(str(entry.id)):
            yield f"{where}: other values in braces than the English sentence"
    compiled = path.with_suffix(".mo")
    if po != text:
        yield f"{code}: {path.name} is not up to date"
    if not compiled.is_file() or compiled.read_bytes() != mo:
        yield f"{code}: {compiled.name} is not what {path.name} compiles to"


def build(code: str) -> None:
    """Bring a language's files up to date; a new language begins with an empty catalogue."""
    path = catalogue(code)
    po, mo = merge(code, path.read_bytes() if path.is_file() else b"")
    path.parent.mkdir(parents=True, exist_ok=True)
    for target, content in ((path, po), (path.with_suffix(".mo"), mo)):
        with replacing(target) as part:
            part.write_bytes(content)


def main() -> int:
    """Build or check the languages; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is missing or stale")
    parser.add_argument("codes", nargs="*", metavar="LANGUAGE", help="these only, new ones too (else all that have a catalogue)")
    args = parser.parse_args()
    codes = args.codes or languages()
    if not args.check:
        for code in codes:
            build(code)
    found = [line for code in codes for line in faults(code)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(sentences())} sentences in {', '.join(codes)}: {len(found) or 'no'} faults")
    return 1 if args.check and found else 0


def _empty(code: str) -> Catalog:
    """A catalogue whose header has no dates and versions."""
    from babel.messages import Catalog

    class Dateless(Catalog):
        mime_headers = [  # type: ignore[override]  # noqa: RUF012
            ("Language", code),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit\n"),
        ]

    return Dateless(header_comment=HEADER, fuzzy=False)


if __name__ == "__main__":
    raise SystemExit(main())
