"""The sealing key lies in a file for one reader, or in a process that signs and never shows it."""

import io
import sys
from pathlib import Path

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.seal.keys import (
    PrivateKey,
    SigningProcess,
    is_signed_by,
    main,
    read_key,
    read_or_make_key,
    sign_lines,
)
from sealed_logs import SignedLog, some_key, some_seals

BODY = SignedLog(some_seals(3)).head().head.body
SCRIPT = "import sys; sys.stdout.write({first!r} + '\\n'); sys.stdout.flush()\nfor line in sys.stdin:\n    {then}"


def signer(path: Path) -> list[str]:
    return [sys.executable, "-m", "pairhouse.house.seal.keys", str(path)]


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    key = read_or_make_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_make_key(path).public_key == read_key(path).public_key == key.public_key
    assert path.read_text().strip() not in repr(key)
    assert is_signed_by(key.public_key, key.sign(BODY), BODY)
    assert not is_signed_by(key.public_key, key.sign(BODY), BODY + b" ")
    assert not is_signed_by(b"short", key.sign(BODY), BODY)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o755])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "sealing.key"
    read_or_make_key(path)
    path.chmod(mode)
    with pytest.raises(Refused, match=f"has permissions {mode:04o}; only its owner may read it .0600.; `chmod 600"):
        read_or_make_key(path)


@pytest.mark.parametrize("text", ["", "xyz", "00" * 31, "00" * 33])
def test_a_file_without_a_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sealing.key"
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(Refused, match="holds no sealing key; it should be 64 hex digits"):
        read_key(path)


def test_a_key_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read: No such file"):
        read_key(tmp_path / "none")
    with pytest.raises(Refused, match=r"no sealing key can be made at .*: No such file"):
        read_or_make_key(tmp_path / "no folder" / "key")
    with pytest.raises(Refused, match="a sealing key has 32 bytes, and 3 were given"):
        PrivateKey(b"abc")


def test_a_process_signs_and_comes_back_after_its_end(tmp_path: Path) -> None:
    path = tmp_path / "sealing.key"
    process = SigningProcess(signer(path))
    assert process.public_key == read_key(path).public_key
    assert process.sign(BODY) == read_key(path).sign(BODY)
    process.close()
    assert process.sign(BODY) == read_key(path).sign(BODY)
    process.close()
    path.unlink()
    with pytest.raises(Refused, match="failed: it came back with another key"):
        process.sign(BODY)


def test_a_process_signs_nothing_but_statements_of_the_books() -> None:
    key, answers = some_key(1), io.BytesIO()
    asked = b"\n".join([BODY.hex().encode(), b"anything else".hex().encode(), b"not hex", b""])
    sign_lines(key, io.BytesIO(asked), answers)
    assert answers.getvalue().decode().split() == [key.public_key.hex(), key.sign(BODY).hex(), "no", "no"]


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        ("hello", "pass", "it answered b'hello.n'; 64 hex digits were expected"),
        ("00" * 32, "print('00' * 64, flush=True)", "it answered with a signature that is not its key's"),
        ("00" * 32, "print('no', flush=True)", "it answered b'no.n'; 128 hex digits were expected"),
        ("00" * 32, "sys.exit()", "it has ended"),
        ("00" * 32, "pass", "it did not answer within 0.2 seconds"),
    ],
)
def test_a_process_that_does_not_sign_is_told(first: str, then: str, says: str) -> None:
    script = SCRIPT.format(first=first, then=then)

    def sign() -> None:
        process = SigningProcess([sys.executable, "-c", script], answer_s=5.0)
        process.answer_s = 0.2 if then == "pass" else 5.0
        try:
            process.sign(BODY)
        finally:
            process.close()

    with pytest.raises(Refused, match=f"the signing process .* failed: {says}"):
        sign()


def test_a_command_that_does_not_start_is_told() -> None:
    with pytest.raises(Refused, match="failed: it cannot be started: No such file"):
        SigningProcess(["/no/such/command"])


def test_the_command_line_refuses_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sealing.key"
    path.touch()
    path.chmod(0o644)
    assert main([]) == main([str(path)]) == 2
    told = capsys.readouterr().err
    assert "give the file of the sealing key" in told
    assert "has permissions 0644" in told
