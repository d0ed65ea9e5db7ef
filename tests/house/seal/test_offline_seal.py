"""The two verifiers that share no code with the house come to the same about every sealed round as the house does."""

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import seal_vectors
from pairhouse.core.errors import Refused
from pairhouse.house.seal.heads import KeyRing, read_head
from pairhouse.house.seal.log_proofs import read_proof
from sealed_logs import BOOKS, some_key
from verifiers import FOLDER, NODE

VECTORS: list[dict[str, Any]] = json.loads(seal_vectors.FILE.read_text(encoding="utf-8"))
SCRIPT = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { isSigned, sha512, verifySeal } = await import(pathToFileURL(process.argv[1]));
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const answers = {
  seal: verifySeal,
  signed: (...given) => isSigned(...given.map(bytes)),
  hash: (hex) => Array.from(sha512(bytes(hex)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};
for (const line of readFileSync(0, "utf8").split("\\n").filter(Boolean)) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(answers[name](...given)));
}
"""
# Public key, message and signature of the tests 1 to 3 in RFC 8032, 7.1.
RFC_8032 = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
]  # fmt: skip


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


python: Any = _load("pairhouse_seal")
build: Any = _load("build")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sources of the page in one module, as its build will join them."""
    path: Path = tmp_path_factory.mktemp("page") / "verifier.mjs"
    path.write_text(f"{build.joined(build.PARTS)}\nexport {{ isSigned, sha512, verifySeal }};\n", encoding="utf-8")
    return path


def ask(page: Path, questions: list[list[Any]]) -> list[Any]:
    lines = "\n".join(map(json.dumps, questions))
    command = [str(NODE), "--input-type=module", "--eval", SCRIPT, str(page)]
    done = subprocess.run(command, input=lines, text=True, capture_output=True, check=True, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.splitlines()]


def house_fails(vector: dict[str, Any]) -> str:
    """Which check of the house fails on the seal alone; it need not look at the round, which it wrote itself."""
    keys = KeyRing(BOOKS, bytes.fromhex(vector["key"]))
    seal = vector["record"]["seal"]
    try:
        for handover in re.split(r"\n(?=pairhouse/books/)", vector.get("handovers", "")):
            head = read_head(handover.strip("\n") + "\n") if handover else None
            if head is not None and head.head.books == BOOKS:
                keys.learn(head)
        read_proof(seal["proof"]).check(seal_vectors.seal_of(seal["event"]), keys)
    except Refused as refused:
        return {"bad-proof": "log", "bad-head": "head"}[refused.code]
    return ""


def test_the_vectors_are_as_they_are_made() -> None:
    assert seal_vectors.FILE.read_text(encoding="utf-8") == seal_vectors.text()


def test_house_file_and_page_agree_about_every_vector(page: Path) -> None:
    answers = ask(page, [["seal", one["record"], one["key"], one.get("handovers", "")] for one in VECTORS])
    for vector, answer in zip(VECTORS, answers, strict=True):
        name, fails = vector["name"], vector["fails"]
        findings = list(python.verify_seal(vector["record"], vector["key"], vector.get("handovers", "")))
        assert next((check for check, _, differs in findings if differs), "") == fails, name
        assert answer["error"] is None, name
        assert [(one["check"], one["holds"]) for one in answer["findings"]] == [(check, not differs) for check, _, differs in findings]  # fmt: skip
        assert (answer["same"], bool(house_fails(vector))) == (not fails, fails in ("log", "head")), name


def test_another_key_is_refused(page: Path) -> None:
    good = VECTORS[0]["record"]
    for key in (some_key(9).public_key.hex(), "", "zz", "00" * 32):
        found = [check for check, _, differs in python.verify_seal(good, key) if differs]
        assert found == [one["check"] for one in ask(page, [["seal", good, key]])[0]["findings"] if not one["holds"]] == ["head"]  # fmt: skip


def test_a_round_without_its_place_in_the_log_cannot_be_checked(page: Path) -> None:
    with pytest.raises(python.CannotCheck, match="the round is not in a signed head yet"):
        list(python.verify_seal({"id": "x"}, "00"))
    answers = ask(page, [["seal", {"id": "x"}, "00"], ["seal", {"seal": {}}, "00"], ["seal", None, ""]])
    assert answers[0]["error"] == "the round is not in a signed head yet; fetch it again in a minute"
    assert all(answer["error"].startswith("this is not a closed round") for answer in answers[1:])


def test_signatures_are_checked_as_the_rfc_says(page: Path) -> None:
    order = python.ORDER
    cases = [(key, signature, message, True) for key, message, signature in RFC_8032]
    key, message, signature = RFC_8032[1]
    scalar = int.from_bytes(bytes.fromhex(signature)[32:], "little")
    beyond = signature[:64] + (scalar + order).to_bytes(32, "little").hex()
    cases += [
        (key, beyond, message, False),
        (key, signature, message + "00", False),
        (key[:-2], signature, message, False),
    ]
    cases += [("ff" * 32, signature, message, False), (key, signature[:-2], message, False)]
    cases += [(key, f"{int(signature[0], 16) ^ 1:x}{signature[1:]}", message, False)]
    answers = ask(page, [["signed", *case[:3]] for case in cases])
    assert answers == [case[3] for case in cases]
    assert [python.is_signed(*map(bytes.fromhex, case[:3])) for case in cases] == answers


def test_sha512_of_the_page(page: Path) -> None:
    texts = [b"a" * length for length in (0, 1, 111, 112, 127, 128, 129, 1000)]
    assert ask(page, [["hash", text.hex()] for text in texts]) == [hashlib.sha512(text).hexdigest() for text in texts]


@pytest.mark.parametrize(("name", "status"), [("event 37 of 70", 0), ("paid more", 1), ("somebody else's log", 1)])
def test_the_file_runs_alone(tmp_path: Path, name: str, status: int) -> None:
    vector = next(vector for vector in VECTORS if vector["name"] == name)
    path = tmp_path / "round.json"
    path.write_text(json.dumps(vector["record"]), encoding="utf-8")
    script = tmp_path / "alone.py"
    script.write_bytes((FOLDER / "pairhouse_seal.py").read_bytes())
    command = [sys.executable, "-I", str(script), str(path), vector["key"]]
    done = subprocess.run(command, text=True, capture_output=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stderr) == (status, "")
    assert ("DIFFERENT" in done.stdout) == bool(status)
    assert (
        subprocess.run([*command[:-2], str(tmp_path / "none"), "00"], capture_output=True, check=False).returncode == 2
    )
