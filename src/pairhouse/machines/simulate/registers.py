"""Working memory on the stack of a compiled loop, so that the compiler can keep it in registers.

Other code could change an array from outside, so every access to one is a real read or write; it cannot change these.
A pointer is read and written like an array; numba knows how.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj


@intrinsic(prefer_literal=True)
def stack_words(_context: Any, count: Any) -> Any:
    """So many 64-bit words on the stack of the calling function, as a pointer."""
    number = count.literal_value

    def build(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        return cgutils.alloca_once(builder, context.get_data_type(types.int64), size=number)

    return types.CPointer(types.int64)(count), build


@intrinsic
def word(_context: Any, pointer: Any, at: Any) -> Any:
    """Read a word."""

    def build(_c: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, index = arguments
        return builder.load(builder.gep(base, [index]))

    return types.int64(pointer, types.intp), build


@intrinsic
def set_word(_context: Any, pointer: Any, at: Any, value: Any) -> Any:
    """Write a word."""

    def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        base, index, new = arguments
        builder.store(new, builder.gep(base, [index]))
        return context.get_dummy_value()

    return types.void(pointer, types.intp, types.int64), build


@intrinsic(prefer_literal=True)
def stack_rows(_context: Any, rows: Any, columns: Any) -> Any:
    """Rows of 64-bit words on the stack of the calling function, as an array that no other code can reach."""
    shape = rows.literal_value, columns.literal_value
    kind = types.Array(types.int64, 2, "C")

    def build(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        data = cgutils.alloca_once(builder, context.get_data_type(types.int64), size=shape[0] * shape[1])
        array = arrayobj.make_array(kind)(context, builder)
        intp = context.get_value_type(types.intp)
        arrayobj.populate_array(
            array,
            data=data,
            shape=[intp(shape[0]), intp(shape[1])],
            strides=[intp(8 * shape[1]), intp(8)],
            itemsize=intp(8),
            meminfo=None,
        )
        return array._getvalue()

    return kind(rows, columns), build


@intrinsic
def stay_apart(_context: Any) -> Any:
    """Keep the function that calls this from being inlined: it is called rarely, and its callers are to stay small."""

    def build(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        builder.function.attributes.discard("alwaysinline")  # inherited from the caller
        builder.function.attributes.add("noinline")
        builder.function.attributes.add("cold")
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def pointer_to(_context: Any, array: Any) -> Any:
    """The address of an array's items: one value to pass on, where an array is seven."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arrayobj.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), build
