"""LLVM code that calls a lazily compiled kernel by the address in the kernel's memory cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

FAILED = 1  # answer of ``lazy._find`` after a failed compilation, in place of an address
_WORD = ir.IntType(64)


def name_cell(symbol: str, where: int) -> None:
    """Make the memory cell at this address known to emitted code by a symbol."""
    binding.add_symbol(symbol, where)


def caller(function: Callable[..., Any], symbol: str, kinds: Any) -> Callable[..., Any]:
    """Make a function that calls ``function``, or in code for ``kinds`` the address in ``symbol``."""
    names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    scope: dict[str, Any] = {"function": function, "answer": kinds.return_type}
    exec(
        f"def call_unit({names}):\n    return function({names})\n"
        f"def typer({names}):\n    return answer\n"
        f"def {function.__name__}({names}):\n    return call_unit({names})",
        scope,
    )
    call_unit = scope["call_unit"]
    type_callable(call_unit)(lambda context: scope["typer"])

    @lower_builtin(call_unit, *kinds.args)
    def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _call(context, builder, signature, arguments, symbol)

    return scope[function.__name__]


def _call(context: Any, builder: Any, signature: Any, arguments: Any, symbol: str) -> Any:
    """Emit the call of a lazy kernel; its result is zero if the kernel could not be compiled.

    The address is read from the memory cell; if it is null, ``lazy._find`` compiles the kernel.
    """
    place = cgutils.add_global_variable(builder.module, ir.ArrayType(_WORD, 2), symbol)
    start = builder.gep(place, [ir.IntType(32)(0)] * 2, inbounds=True)
    where = cgutils.alloca_once(builder, _WORD)
    builder.store(builder.load(start), where)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned("==", builder.load(where), _WORD(0))):
        builder.store(builder.call(_finding(builder.module), [start]), where)
    answer = context.get_value_type(signature.return_type)
    kind = ir.FunctionType(answer, [context.get_value_type(kind) for kind in signature.args])
    result = cgutils.alloca_once_value(builder, ir.Constant(answer, None))
    found = builder.load(where)
    with cgutils.if_likely(builder, builder.icmp_unsigned("!=", found, _WORD(FAILED))):
        value = builder.call(builder.inttoptr(found, kind.as_pointer()), arguments)
        builder.store(value, result)
    return builder.load(result)


def _finding(module: Any) -> Any:
    """LLVM function ``address(place)``: calls ``lazy._find``, again if Ctrl-C ended the first call."""
    name = "wheelground.find"
    if name in module.globals:
        return module.globals[name]
    made = ir.Function(module, ir.FunctionType(_WORD, [_WORD.as_pointer()]), name)
    made.linkage = "linkonce_odr"
    made.attributes.add("noinline")
    builder, place = ir.IRBuilder(made.append_basic_block("begins")), made.args[0]
    search, ends = (made.append_basic_block(block) for block in ("search", "ends"))
    kind = ir.FunctionType(ir.VoidType(), [place.type, _WORD, place.type])
    finder = builder.load(builder.gep(place, [ir.IntType(32)(1)]))
    finder, answer = builder.inttoptr(finder, kind.as_pointer()), builder.alloca(_WORD)
    builder.store(_WORD(0), answer)
    builder.branch(search)
    builder.position_at_end(search)
    again = builder.phi(_WORD)
    builder.call(finder, [place, again, answer])
    found = builder.load(answer)
    again.add_incoming(_WORD(0), made.entry_basic_block)
    again.add_incoming(_WORD(1), search)
    builder.cbranch(builder.icmp_unsigned("==", found, _WORD(0)), search, ends)
    builder.position_at_end(ends)
    builder.ret(found)
    return made
