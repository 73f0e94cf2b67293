"""Calls between kernels, shorter than Numba's.

Numba takes every array apart at a call and reassembles it in the callee; a bundle of a dozen arrays (a
named tuple) becomes 80 arguments. Here a bundle is passed by its address, and the kernel loads only
the arrays it uses. Of the return status the caller tests only whether it is zero (success).
"""

from __future__ import annotations

from typing import Any

from llvmlite.ir import Constant, FunctionType, IntType, IRBuilder, Undefined
from llvmlite.ir.values import ArgumentAttributes
from numba.core import cgutils, ir, types
from numba.core.callconv import excinfo_ptr_t
from numba.core.lowering import Lower

# LLVM's attribute of a pointer argument that the function does not keep; the name changed in LLVM 21.
_UNCAPTURED = "captures(none)" if "captures(none)" in ArgumentAttributes._known else "nocapture"


def _by_place(kind: Any) -> bool:
    return isinstance(kind, types.BaseNamedTuple)


def _declare(context: Any, module: Any, fndesc: Any) -> Any:
    """LLVM function of a kernel: bundles by address first, then the other arguments as in Numba."""
    bundles = [kind for kind in fndesc.argtypes if _by_place(kind)]
    packer = context.get_arg_packer([kind for kind in fndesc.argtypes if not _by_place(kind)])
    arguments = [
        context.get_return_type(fndesc.restype).as_pointer(),
        excinfo_ptr_t.as_pointer(),
        *[context.get_value_type(kind).as_pointer() for kind in bundles],
        *packer.argument_types,
    ]
    # Another name than Numba's: a call by Numba's convention fails to link, it cannot misread arguments.
    name = fndesc.mangled_name + ".kernel"
    function = cgutils.get_or_insert_function(module, FunctionType(IntType(32), arguments), name)
    for k in range(2 + len(bundles)):
        function.args[k].add_attribute("noalias")
        function.args[k].add_attribute(_UNCAPTURED)
    return function


class CallLowering(Lower):
    """Lowering of calls to kernels."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._bundles: dict[int, Any] = {}  # addresses of the bundle arguments, by position
        self._places: dict[str, Any] = {}  # addresses of bundles, by variable name
        self._arrays: dict[tuple[Any, int], Any] = {}  # arrays of the bundles loaded so far

    def _assigned_once(self, name: str) -> bool:
        """True if a variable is known to be assigned once; subclasses count assignments."""
        return False

    def loadvar(self, name: str) -> Any:
        place = self._places.get(name)
        return super().loadvar(name) if place is None else self.builder.load(place)

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        source, name = inst.value, inst.target.name
        if _by_place(ty) and self._assigned_once(name):
            if isinstance(source, ir.Arg) and source.index in self._bundles:
                self._places[name] = self._bundles[source.index]
            elif isinstance(source, ir.Var) and source.name in self._places:
                self._places[name] = self._places[source.name]
            if name in self._places:
                return Constant(self.context.get_value_type(ty), Undefined)
        return super().lower_assign(ty, inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "getattr" and expr.value.name in self._places:
            kind = self.typeof(expr.value.name)
            if expr.attr in kind.fields:
                return self._array(self._places[expr.value.name], kind.fields.index(expr.attr))
        return super().lower_expr(resty, expr)

    def _array(self, place: Any, which: int) -> Any:
        """One array of a bundle, loaded once, at the start of the kernel."""
        if (place, which) not in self._arrays:
            path = [Constant(IntType(32), k) for k in (0, which)]
            with self.builder.goto_entry_block():
                array = self.builder.load(self.builder.gep(place, path, inbounds=True))
            self._arrays[place, which] = array
        return self._arrays[place, which]

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        compiled = None
        if isinstance(fnty, types.Dispatcher) and not expr.vararg:
            compiled = fnty.dispatcher.overloads.get(signature.args)
        if compiled is None or not getattr(compiled.library, "called_by_kernels", False):
            return super()._lower_call_normal(fnty, expr, signature)
        builder, context, fndesc = self.builder, self.context, compiled.fndesc
        self.library.add_linking_library(compiled.library)
        given = self.fold_call_args(fnty, signature, expr.args, None, expr.kws) if expr.kws else None
        bundles, rest = [], []
        for k, kind in enumerate(fndesc.argtypes):
            place = None if given else self._places.get(expr.args[k].name)
            if place is None or not _by_place(kind):
                place = given[k] if given else self._cast_var(expr.args[k], kind)
                if _by_place(kind):
                    place = cgutils.alloca_once_value(builder, place)
            (bundles if _by_place(kind) else rest).append(place)
        function = _declare(context, builder.module, fndesc)
        packer = context.get_arg_packer([kind for kind in fndesc.argtypes if not _by_place(kind)])
        slot = cgutils.alloca_once(builder, function.function_type.args[0].pointee)
        excinfo = self.call_conv._get_excinfo_argument(builder.function)
        code = builder.call(function, [slot, excinfo, *bundles, *packer.as_arguments(builder, rest)])
        with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, Constant(code.type, 0))):
            builder.ret(code)
        return context.get_returned_value(builder, fndesc.restype, builder.load(slot))


class CalledLowering(CallLowering):
    """Lowering of kernels that are called by the convention of this module."""

    def setup_function(self, fndesc: Any) -> None:
        self.function = _declare(self.context, self.module, fndesc)
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def extract_function_arguments(self) -> Any:
        kinds, own = self.fndesc.argtypes, self.function.args[2:]
        at = [k for k, kind in enumerate(kinds) if _by_place(kind)]
        packer = self.context.get_arg_packer([kind for kind in kinds if not _by_place(kind)])
        rest = iter(packer.from_arguments(self.builder, own[len(at) :]))
        self._bundles = dict(zip(at, own, strict=False))
        self.fnargs = [None if k in self._bundles else next(rest) for k in range(len(kinds))]
        return self.fnargs
