"""A closed round as a link: a page that anybody may read, with a picture that other sites show beside the link."""

from html import escape
from typing import Annotated, Any

from litestar import MediaType, Request, Response, Router, get
from litestar.params import PathParameter

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.server.desk import DeskHere
from pairhouse.server.http.callers import client_of, visitor
from pairhouse.server.reading.share_words import in_words, result_of, words_for

Shared = Annotated[str, PathParameter(max_length=64)]
A_DAY = "public, max-age=86400"  # a closed round stays as it is
PAGE = """<!doctype html>
<html lang="{language}">
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
<meta property="og:image" content="{url}.png{query}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<style>
body {{ margin: 0; padding: 20px 16px 40px; background: #0d0b09; color: #f8efdc; }}
body {{ font: 17px/1.5 system-ui, sans-serif; }}
main {{ max-width: 900px; margin: 0 auto; }}
header a {{ color: #e2c078; font-weight: 600; text-decoration: none; }}
h1 {{ margin: 10px 0 14px; font-size: clamp(22px, 5vw, 32px); line-height: 1.2; text-wrap: balance; }}
img {{ display: block; width: 100%; height: auto; border-radius: 14px; }}
dl {{ display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; }}
dt {{ color: #cdbfa4; }}
dd {{ margin: 0; }}
.watch {{ display: block; margin-top: 18px; padding: 13px 18px; border-radius: 12px; text-align: center; }}
.watch {{ background: #d0a04a; color: #241503; font-weight: 650; text-decoration: none; }}
</style>
</head>
<body>
<main>
<header><a href="/">Pairhouse</a></header>
<h1>{title}</h1>
<img src="{path}.png{query}" width="1200" height="630" alt="{cards}">
<dl>{hands}</dl>
<a class="watch" href="/#/replay/{id}">{watch}</a>
</main>
</body>
</html>
"""


@get("/share/{name:str}", guards=[visitor], include_in_schema=False)
async def shared(name: Shared, request: Request[Any, Any, Any], desk: DeskHere) -> Response[bytes]:
    """The page of a round in the visitor's language, or its picture where the name ends in `.png`."""
    round_id = name.removesuffix(".png")
    if len(round_id) != 26 or not (round_id.isalnum() and round_id.isascii()):
        raise Refused("unknown-round", "there is no such round to look at")
    round_ = await desk.read(lambda tx: desk.books.pit.public_replay(tx, round_id))
    game = find(round_.game).name
    if name.endswith(".png"):
        from pairhouse.server.reading.picture import picture_of  # noqa: PLC0415  (loads Pillow)

        desk.throttle.check("picture", client_of(request))
        asked = words_for(request.query_params.get("language", ""))
        picture = await desk.pictures.run(lambda: picture_of(round_, game, asked))
        return Response(picture, media_type="image/png", headers={"Cache-Control": A_DAY})
    words = words_for(request.headers.get("accept-language", ""))
    address = f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}/share/{round_id}"
    told = in_words(round_, words)
    cards = "; ".join(f"{place}: {hand}" for place, hand in told)
    result = result_of(round_, words)
    parts = {
        "language": words.code,
        "title": f"{game}: {result}",
        "says": f"{result}. {cards}.",
        "cards": cards,
        "url": address,
        "path": f"/share/{round_id}",
        "query": "" if words.code == "en" else f"?language={words.code}",
        "watch": words.watch,
        "id": round_id,
    }
    hands = "".join(f"<dt>{escape(place)}</dt><dd>{escape(hand)}</dd>" for place, hand in told)
    page = PAGE.format(hands=hands, **{key: escape(value) for key, value in parts.items()})
    headers = {"Cache-Control": A_DAY, "Vary": "Accept-Language"}
    return Response(page.encode(), media_type=MediaType.HTML, headers=headers)


router = Router("/", route_handlers=[shared])
