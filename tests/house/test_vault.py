"""Sealed secrets open with their own key and name alone."""

from pathlib import Path

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.vault import KEY_VARIABLE, Vault, find_vault


def test_a_secret_opens_with_its_key_and_name_alone() -> None:
    vault = Vault(bytes(32))
    sealed = vault.seal(b"seed", "stream-1")
    assert vault.open(sealed, "stream-1") == b"seed"
    assert vault.seal(b"seed", "stream-1") != sealed
    for other, name, content in (
        (vault, "stream-2", sealed),
        (Vault(bytes([1] * 32)), "stream-1", sealed),
        (vault, "stream-1", sealed[:-1] + bytes([sealed[-1] ^ 1])),
    ):
        with pytest.raises(Refused, match="does not open: it was sealed with another key, or altered"):
            other.open(content, name)
    assert bytes(32).hex() not in repr(vault)


def test_the_key_comes_from_the_environment_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.db.key"
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    sealed = find_vault(file).seal(b"seed", "name")
    assert find_vault(file).open(sealed, "name") == b"seed"
    assert file.stat().st_mode & 0o077 == 0, "only its owner may read the key"
    with pytest.raises(Refused, match="needs a key for its seeds"):
        find_vault(None)
    for wrong, says in (("xyz", "is not hex"), ("ab", "the key given has 1 bytes")):
        monkeypatch.setenv(KEY_VARIABLE, wrong)
        with pytest.raises(Refused, match=says):
            find_vault(file)
    monkeypatch.delenv(KEY_VARIABLE)
    file.write_text("no key")
    with pytest.raises(Refused, match="holds no key"):
        find_vault(file)
