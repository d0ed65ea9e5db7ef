"""A closed round as a picture, 1200 by 630: the cards of every hand, and what came of it. Drawn by us with Pillow."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.round_view import RoundView
from pairhouse.rounds.text_keys import KeyedHand
from pairhouse.server.reading.share_words import ShareWords, name_of, place_of, result_of

SCALE = 2  # drawn twice as large and made smaller, so that edges are smooth
WIDTH, HEIGHT, MARGIN = 1200 * SCALE, 630 * SCALE, 48 * SCALE
HEAD, FOOT, NAME = 120 * SCALE, 96 * SCALE, 52 * SCALE  # heights: above the cards, the result, a hand's name
CARD_WIDTH_MAX, CARD_RATIO, GAP = 190 * SCALE, 1.4, 0.12
RED, BLACK, PAPER, GOLD, CREAM, NIGHT = "#b3141f", "#16130f", "#fdfaf2", "#e2c078", "#f8efdc", "#0d0b09"
# Light and dark of the felts, in the order of the catalogue, as the tables have them.
FELTS = (
    ("#523689", "#160b2e"),
    ("#84222f", "#2b060d"),
    ("#115b63", "#042328"),
    ("#135d47", "#062219"),
    ("#21508f", "#081630"),
)
Draw = ImageDraw.ImageDraw


def picture_of(round_: RoundView, name: str, words: ShareWords) -> bytes:
    """The round as a PNG file."""
    number = [*GAMES].index(round_.game) if round_.game in GAMES else sum(round_.game.encode())
    image = _felt(*FELTS[number % len(FELTS)])
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, 34 * SCALE), name, fill=CREAM, font=_font(46))
    draw.text((WIDTH - MARGIN, 44 * SCALE), "Pairhouse", fill=GOLD, font=_font(34), anchor="ra")
    rows = [row for row in (_of_house(round_), _of_seats(round_)) if row]
    height = (HEIGHT - HEAD - FOOT) // max(1, len(rows))
    for number, row in enumerate(rows):
        _draw_row(draw, row, HEAD + number * height, height, words)
    draw.rectangle((0, HEIGHT - FOOT, WIDTH, HEIGHT), fill=NIGHT)
    draw.text((MARGIN, HEIGHT - FOOT // 2), result_of(round_, words), fill=GOLD, font=_font(40), anchor="lm")
    out = BytesIO()
    image.resize((WIDTH // SCALE, HEIGHT // SCALE), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _of_house(round_: RoundView) -> list[KeyedHand]:
    return [hand for hand in round_.view.hands if hand.at is not None and hand.cards]


def _of_seats(round_: RoundView) -> list[KeyedHand]:
    return [hand for hand in round_.view.hands if hand.at is None and hand.cards]


def _felt(light: str, dark: str) -> Image.Image:
    gradient = Image.linear_gradient("L").resize((WIDTH, HEIGHT))
    return Image.composite(Image.new("RGB", (WIDTH, HEIGHT), dark), Image.new("RGB", (WIDTH, HEIGHT), light), gradient)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * SCALE)


def _draw_row(draw: Draw, hands: list[KeyedHand], top: int, height: int, words: ShareWords) -> None:
    """Hands beside one another, as large as the row and their number allow, each with its name below."""
    cards = sum(len(hand.cards) for hand in hands)
    steps = cards * (1 + GAP) + (len(hands) - 1) * 0.8
    width = min(CARD_WIDTH_MAX, (height - NAME) / CARD_RATIO, (WIDTH - 2 * MARGIN) / steps)
    left = (WIDTH - steps * width) / 2
    for hand in hands:
        start = left
        for face in hand.cards:
            _draw_card(draw, face, left, top, width)
            left += width * (1 + GAP)
        said = " · ".join(part for part in (place_of(hand, words), name_of(hand, words)) if part)
        middle = (start + left - width * GAP) / 2
        draw.text((middle, top + width * CARD_RATIO + 8 * SCALE), said, fill=CREAM, font=_font(26), anchor="ma")
        left += width * 0.8


def _draw_card(draw: Draw, face: str | None, left: float, top: float, width: float) -> None:
    box = (left, top, left + width, top + width * CARD_RATIO)
    if face is None:
        draw.rounded_rectangle(box, width * 0.09, fill="#7a1220", outline=PAPER, width=3 * SCALE)
        return
    draw.rounded_rectangle(box, width * 0.09, fill=PAPER, outline="#cfc6b2")
    if face.startswith("X"):
        draw.text(
            (left + width / 2, top + width * 0.7), "Joker", fill=RED, font=_font(int(width * 0.3 / SCALE)), anchor="mm"
        )
        return
    rank, suit = face[:-1], face[-1]
    ink = RED if suit in "hd" else BLACK
    draw.text((left + width * 0.1, top + width * 0.06), rank, fill=ink, font=_font(int(width * 0.42 / SCALE)))
    _draw_suit(draw, suit, left + width * 0.62, top + width * 0.98, width * 0.27, ink)


def _draw_suit(draw: Draw, suit: str, x: float, y: float, r: float, ink: str) -> None:
    """A suit around its middle, about `2 r` wide."""

    def disc(dx: float, dy: float, radius: float) -> None:
        draw.ellipse((x + dx - radius, y + dy - radius, x + dx + radius, y + dy + radius), fill=ink)

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([(x + dx * r, y + dy * r) for dx, dy in points], fill=ink)

    if suit == "d":
        shape((0, -1.25), (0.95, 0), (0, 1.25), (-0.95, 0))
    elif suit == "h":
        disc(-r * 0.48, -r * 0.42, r * 0.54)
        disc(r * 0.48, -r * 0.42, r * 0.54)
        shape((-0.98, -0.2), (0.98, -0.2), (0, 1.15))
    elif suit == "s":
        disc(-r * 0.46, r * 0.3, r * 0.52)
        disc(r * 0.46, r * 0.3, r * 0.52)
        shape((-0.95, 0.12), (0.95, 0.12), (0, -1.2))
        shape((0, 0.3), (0.42, 1.2), (-0.42, 1.2))
    else:
        disc(0, -r * 0.58, r * 0.5)
        disc(-r * 0.54, r * 0.28, r * 0.5)
        disc(r * 0.54, r * 0.28, r * 0.5)
        shape((0, -0.3), (0.42, 1.2), (-0.42, 1.2))
