"""Stories as numbers: what a compiled round settled, packed into one integer and unpacked again.

Each happening is one hexadecimal digit for its kind and one for each of its fields, in the order they were settled. A
leading 1 marks the start. Every field of every happening is below 16, and a story has at most 15 digits.
"""

from collections.abc import Sequence

from pairhouse.core.tally import Story

EMPTY = 1
STORY_BITS = 24  # of a story that shares a number with something else
DIGITS_MAX = 15


def fits(story: Story) -> bool:
    """Whether a story can be such a number."""
    told = [int(field) for _, happened in story for field in happened]
    return len(story) + len(told) <= DIGITS_MAX and all(0 <= field < 16 for field in told)


def unpack(packed: int, kinds: Sequence[type], seat: int = 1) -> Story:
    """The story behind a number, with every happening at one seat."""
    digits = [int(digit, 16) for digit in f"{packed:x}"[1:]]
    story = []
    while digits:
        kind = kinds[digits.pop(0)]
        types = kind.__annotations__.values()
        fields = [bool(digits.pop(0)) if of_type is bool else digits.pop(0) for of_type in types]
        story.append((seat, kind(*fields)))
    return tuple(story)
