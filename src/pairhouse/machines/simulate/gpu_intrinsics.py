"""The functions of `gpu_memory.py` as intrinsics of numba-cuda."""

import operator
from hashlib import sha256
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.cuda import types
from numba.cuda.core.imputils import builtin_registry
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, overload, register_model, typeof_impl
from numba.cuda.np import arrayobj

from pairhouse.core.verbs import PLACES
from pairhouse.machines.simulate.gpu_memory import Lookup

WORD = ir.IntType(64)
DEVICE_MEMORY = 1  # the address space that every thread reads through its cache


class LookupType(types.Type):  # type: ignore[misc]
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
    of_items = ir.ArrayType(WORD, len(items))
    name = f"lookup_{sha256(repr(items).encode()).hexdigest()[:16]}"

    def build(_c: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        known = builder.module.globals.get(name)
        if known is None:
            known = ir.GlobalVariable(builder.module, of_items, name, addrspace=DEVICE_MEMORY)
            known.linkage, known.global_constant = "internal", True
            known.initializer = ir.Constant(of_items, list(items))
        return builder.load(builder.gep(known, [WORD(0), arguments[1]], inbounds=True))

    return types.int64(row, types.int64), build


@overload(operator.getitem)
def _look_up(row, at):  # type: ignore[no-untyped-def]
    if isinstance(row, LookupType):
        return lambda row, at: look_up(row, at)  # noqa: PLW0108 (numba compiles it)
    return None


@intrinsic
def pointed(_context: Any, array: Any) -> Any:
    """The address of an array's items."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arrayobj.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), build


@intrinsic
def row_of(_context: Any, rows: Any, row: Any) -> Any:
    """The address of a row of the felt."""

    def build(_c: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, number = arguments
        return builder.gep(base, [builder.mul(number, WORD(PLACES))], inbounds=True)

    return rows(rows, types.int64), build


@intrinsic
def stay_apart(_context: Any) -> Any:
    """Keep the function that calls this from being inlined."""

    def build(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), build
