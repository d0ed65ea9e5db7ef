"""Join the sources of the verifier: `verifier.html`, one page that needs nothing else, and `verifier.js`, one module.

`python verifier/build.py` writes both; a test holds them to the sources.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("hash", "shuffle", "table", "games", "blackjack", "seeds", "verify", "ed25519", "seal")
EXPORTS = "verify, verifySeal, shuffled, words, draw, sha256, hmacSha256, toHex"
MARK = "/* VERIFIER */\n"


def joined(names: tuple[str, ...]) -> str:
    """The modules one after another, without what ties them together."""
    sources = ((HERE / "src" / f"{name}.js").read_text(encoding="utf-8") for name in names)
    text = "\n".join(re.sub(r"^import .*;\n", "", source, flags=re.MULTILINE) for source in sources)
    return re.sub(r"^export (?=async|class|const|function|let)", "", text, flags=re.MULTILINE)


def built() -> dict[str, str]:
    """The files by name, as they should be."""
    note = "// Joined from verifier/src by `python verifier/build.py`; change it there.\n\n"
    page = (HERE / "src" / "page.html").read_text(encoding="utf-8")
    script = f'"use strict";\n{note}{joined((*PARTS, "page"))}'
    return {
        "verifier.html": page.replace(MARK, script),
        "verifier.js": f"{note}{joined(PARTS)}\nexport {{ {EXPORTS} }};\n",
    }


if __name__ == "__main__":
    for name, text in built().items():
        (HERE / name).write_text(text, encoding="utf-8")
