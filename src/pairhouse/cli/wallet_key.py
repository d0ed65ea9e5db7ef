"""`pairhouse wallet-key`: a key pair for calls to an operator's wallet."""

from pairhouse.cli.arguments import Json, write


def wallet_key(json: Json = False) -> None:
    """Make a key pair for an operator's wallet: keep the private key, give the operator the public one."""
    from pairhouse.rounds.records import to_json
    from pairhouse.server.wallets.signing import new_key_pair

    private, public = new_key_pair()
    write(to_json({"private": private, "public": public}) if json else f"private key  {private}\npublic key   {public}")
