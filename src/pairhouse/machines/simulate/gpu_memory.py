"""Where a thread of a GPU keeps its numbers: plain addresses, and constants that are read, not branched over.

numba makes a branch for each item of a constant tuple, and asks of every index of an array whether it is negative.
Threads that run in step would walk through all those branches one after another.

Under numba's simulator everything is plain Python: tuples and arrays.
"""

import operator
from typing import Any

from numba import config

SIMULATED = bool(config.ENABLE_CUDASIM)


class Lookup:
    """A row of constants of a rule book."""

    def __init__(self, items: tuple[int, ...]) -> None:
        self.items = items

    def __getitem__(self, at: int) -> int:
        return self.items[at]


def constant(value: Any) -> Any:
    """A global of a rule book as compiled code should see it."""
    if type(value) is tuple and len(value) > 2 and all(type(item) is int for item in value):
        return Lookup(value)
    return value


def row_of(rows: Any, row: int) -> Any:
    """A row of the felt."""
    return rows[row]


def pointed(array: Any) -> Any:
    """An array as it is handed on."""
    return array


def stay_apart() -> None:
    """Keep the function that says this out of its callers: it is called rarely, and they are to stay small."""


if not SIMULATED:
    from llvmlite import ir
    from numba.cuda import types
    from numba.cuda.core.imputils import builtin_registry
    from numba.cuda.datamodel import models
    from numba.cuda.extending import intrinsic, overload, register_model, typeof_impl
    from numba.cuda.np import arrayobj

    from pairhouse.core.verbs import PLACES

    class LookupType(types.Type):
        """The constants are part of the type."""

        def __init__(self, items: tuple[int, ...]) -> None:
            self.items = items
            super().__init__(name=f"Lookup{items}")

    register_model(LookupType)(models.OpaqueModel)
    typeof_impl.register(Lookup)(lambda value, _context: LookupType(value.items))
    builtin_registry.lower_constant(LookupType)(lambda context, _builder, _type, _value: context.get_dummy_value())

    @intrinsic
    def look_up(_context: Any, row: Any, at: Any) -> Any:
        """Read a constant from the memory of the device, where it lies once for all threads."""
        items = row.items

        def build(_c: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            of_items = ir.ArrayType(word, len(items))
            name = f"lookup_{abs(hash(items))}"
            known = builder.module.globals.get(name)
            if known is None:
                known = ir.GlobalVariable(builder.module, of_items, name, addrspace=1)
                known.linkage, known.global_constant = "internal", True
                known.initializer = ir.Constant(of_items, list(items))
            place = builder.gep(known, [word(0), arguments[1]], inbounds=True)
            return builder.load(place)

        return types.int64(row, types.int64), build

    @overload(operator.getitem)
    def _look_up(row, at):  # type: ignore[no-untyped-def]
        if isinstance(row, LookupType):
            return lambda row, at: look_up(row, at)
        return None

    @intrinsic
    def pointed(_context: Any, array: Any) -> Any:
        """Where the items of an array lie."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return arrayobj.make_array(signature.args[0])(context, builder, arguments[0]).data

        return types.CPointer(array.dtype)(array), build

    @intrinsic
    def row_of(_context: Any, rows: Any, row: Any) -> Any:
        """Where a row of the felt lies."""

        def build(_c: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            base, number = arguments
            return builder.gep(base, [builder.mul(number, ir.IntType(64)(PLACES))], inbounds=True)

        return rows(rows, types.int64), build

    @intrinsic
    def stay_apart(_context: Any) -> Any:
        def build(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
            builder.function.attributes.add("noinline")
            return context.get_dummy_value()

        return types.void(), build
