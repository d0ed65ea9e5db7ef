"""The compiled verb `settle` of simulated rounds: what happened is added to the cell of the round."""

from typing import Any

from numba.extending import overload

from pairhouse.machines.count import jit
from pairhouse.machines.happenings import fields_of
from pairhouse.machines.link import Function
from pairhouse.machines.simulate.registers import set_word, word
from pairhouse.machines.simulate.score import CELL, Numbers, Scoring, field_bits


def settler(scoring: Scoring) -> Function:
    """The compiled verb `settle` that adds a happening to the cell; kinds that are not scored are passed over."""

    def score_of(offsets: Numbers, happened: Any) -> int:
        raise NotImplementedError("compiled code only")

    @overload(score_of, strict=False)
    def _score_of(offsets, happened):  # type: ignore[no-untyped-def]
        kind = happened.instance_class
        if kind not in scoring.kinds:
            return lambda offsets, happened: 0
        number = scoring.kinds.index(kind)
        shift, start = scoring.shifts[number], scoring.starts[number]
        code = _coder(kind)
        if shift >= 0:
            return lambda offsets, happened: code(happened) << shift
        return lambda offsets, happened: offsets[start + code(happened)]

    @jit
    def settle(table: Any, place: int, happened: Any) -> None:
        set_word(table.state, CELL, word(table.state, CELL) + score_of(table.offsets, happened))

    return settle


def _coder(kind: type) -> Function:
    """`code_of`, compiled for one kind."""
    bits = field_bits(kind)

    @jit
    def code(happened: Any) -> int:
        packed = 0
        for field, width in zip(fields_of(happened), bits):  # noqa: B905 (compiled)
            packed = packed << width | field
        return packed

    return code
