"""What a compiled round settles, packed into one integer as it happens."""

from collections.abc import Callable, Sequence
from typing import Any

import numba
from numba.extending import overload

FIELDS_MAX = 16


def fields_of(happened: Any) -> tuple[int, ...]:
    """The fields of a happening as plain integers."""
    return tuple(int(field) for field in happened)


@overload(fields_of)
def _fields_of(happened):  # type: ignore[no-untyped-def]
    """Compiled code needs the number of fields when it is compiled."""
    if len(happened) > FIELDS_MAX:
        raise numba.TypingError(f"a happening has {len(happened)} fields; {FIELDS_MAX} are the most")
    fields = ", ".join(f"int(happened[{at}])" for at in range(len(happened)))
    return eval(f"lambda happened: ({fields},)")


def settler(kinds: Sequence[type], at: int) -> Callable[..., Any]:
    """The compiled verb `settle` that adds a happening of one of these kinds to the story in `table.state[at]`."""

    def kind_of(happened: Any) -> int:
        return kinds.index(type(happened))

    @overload(kind_of, strict=False)
    def _kind_of(happened):  # type: ignore[no-untyped-def]
        number = kinds.index(happened.instance_class)
        return lambda happened: number

    @numba.njit(_nrt=False, forceinline=True)
    def settle(table: Any, place: int, happened: Any) -> None:
        story = table.state[at] << 4 | kind_of(happened)
        for field in fields_of(happened):
            story = story << 4 | field
        table.state[at] = story

    return settle
