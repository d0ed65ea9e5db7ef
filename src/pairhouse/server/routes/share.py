"""A closed round as a link: a page that anybody may read, with a picture that other sites show beside the link."""

from html import escape
from typing import Annotated, Any

from litestar import MediaType, Request, Response, Router, get
from litestar.params import PathParameter

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.rounds.round_view import RoundView
from pairhouse.server.desk import DeskHere
from pairhouse.server.http.callers import visitor

Shared = Annotated[str, PathParameter(max_length=64)]
A_DAY = "public, max-age=86400"  # a closed round stays as it is
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{says}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Pairhouse">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{says}">
<meta property="og:url" content="{url}">
<meta property="og:image" content="{url}.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<style>
body {{ margin: 0; padding: 24px 16px; background: #0d0b09; color: #f8efdc; font: 17px/1.5 system-ui, sans-serif; }}
main {{ max-width: 900px; margin: 0 auto; }}
img {{ display: block; width: 100%; height: auto; border-radius: 14px; }}
a {{ color: #e2c078; }}
h1 {{ font-size: 26px; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<img src="{path}.png" width="1200" height="630" alt="{cards}">
<p>{says}</p>
<p><a href="/#/replay/{id}">Watch it card by card, and check that it was fair</a></p>
</main>
</body>
</html>
"""


def in_words(round_: RoundView) -> str:
    """The cards of every hand, for those who cannot see the picture."""
    hands = [
        f"{hand.at or 'player'}: {' '.join(face or 'face down' for face in hand.cards)}"
        + (f" ({hand.name})" if hand.name else "")
        for hand in round_.view.hands
        if hand.cards
    ]
    return "; ".join(hands)


@get("/share/{name:str}", guards=[visitor], include_in_schema=False)
async def shared(name: Shared, request: Request[Any, Any, Any], desk: DeskHere) -> Response[bytes]:
    """The page of a round, or its picture where the name ends in `.png`."""
    round_id = name.removesuffix(".png")
    if len(round_id) != 26 or not (round_id.isalnum() and round_id.isascii()):
        raise Refused("unknown-round", "there is no such round to look at")
    round_ = await desk.read(lambda tx: desk.books.pit.public_replay(tx, round_id))
    from pairhouse.server.reading.picture import picture_of, result_of  # noqa: PLC0415  (loads Pillow)

    game = find(round_.game).name
    headers = {"Cache-Control": A_DAY}
    if name.endswith(".png"):
        picture = await desk.think(lambda: picture_of(round_, game))
        return Response(picture, media_type="image/png", headers=headers)
    address = f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}/share/{round_id}"
    parts = {
        "title": f"{game}: {result_of(round_)}",
        "says": f"{result_of(round_)}. {in_words(round_)}.",
        "cards": in_words(round_),
        "url": address,
        "path": f"/share/{round_id}",
        "id": round_id,
    }
    page = PAGE.format(**{key: escape(value) for key, value in parts.items()})
    return Response(page.encode(), media_type=MediaType.HTML, headers=headers)


router = Router("/", route_handlers=[shared])
