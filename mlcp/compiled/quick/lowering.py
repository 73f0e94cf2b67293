"""Lowering of Numba's tree to LLVM code, with shortcuts for arrays, sums and loops.

Numba lowers ``a[i]`` in general terms, for every layout, index and type: some twenty instructions and
as many calls of Python; LLVM then removes most of these instructions. Here the cases common in kernels
are emitted as the one to three instructions that would remain. All other code is Numba's. The machine
code computes the same numbers; compiling takes a quarter less.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from typing import Any

from llvmlite.ir import Constant, Undefined
from numba.core import cgutils, ir, types

from ..lanes import Lane
from ..row_types import Parts
from .calling import CalledLowering, CallLowering

MAX_INLINED_INSTRUCTIONS = 300  # largest kernel that is inlined; copies of larger ones compile slowly
_POWERS = (operator.pow, operator.ipow)  # emitted by Numba, which multiplies for a constant exponent

_type_of = functools.cache(lambda context, operation: context.resolve_value_type(operation))


class EntryLowering(CallLowering):
    """Numba's lowering of entry points, with the shortcuts of this module."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        body = [inst for block in self.blocks.values() for inst in block.body]
        times = Counter(inst.target.name for inst in body if isinstance(inst, ir.Assign))
        # A variable assigned once, in the first block, has its value at every use.
        self._known = {
            inst.target.name: None
            for inst in self.blocks[self.firstblk].body
            if isinstance(inst, ir.Assign) and times[inst.target.name] == 1
        }
        self._times = times
        self._ranges: dict[str, tuple[Any, Any]] = {}

    def _assigned_once(self, name: str) -> bool:
        return self._times[name] == 1

    # lowering of variables -------------------------------------------------------------------
    def loadvar(self, name: str) -> Any:
        known = None if name in self._places else self._known.get(name)
        return super().loadvar(name) if known is None else known

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        if name in self._known:
            self._known[name] = value
        elif name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        # Numba parses a module to find the size of each variable, for debuggers only
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    # lowering of arrays ----------------------------------------------------------------------
    def _place(self, array: Any, index: Any) -> Any:
        """Pointer to one number of an array; None if Numba has to emit the access."""
        kind, at = self.typeof(array.name), self.typeof(index.name)
        if (
            not isinstance(kind, types.Array)
            or kind.layout != "C"
            or not kind.aligned
            or not (kind.dtype in (types.float64, types.int64) or isinstance(kind.dtype, Lane))
            or self.context.enable_boundscheck
        ):
            return None
        several = isinstance(at, types.Tuple | types.UniTuple)
        kinds: tuple[Any, ...] = tuple(at.types) if several else (at,)
        if len(kinds) != kind.ndim or not all(isinstance(k, types.Integer) for k in kinds):
            return None
        builder = self.builder
        value, given = self.loadvar(array.name), self.loadvar(index.name)
        array = Parts(self.context, builder, kind, value)
        place = None
        for axis, one in enumerate(kinds):
            i = builder.extract_value(given, axis) if several else given
            i = self._inside(i, one, array, axis)
            if place is None:
                place = i
            else:
                size = builder.extract_value(array.shape, axis)
                place = builder.add(builder.mul(place, size), i)
        return builder.gep(array.data, [place])

    def _inside(self, i: Any, kind: Any, array: Parts, axis: int) -> Any:
        """Emit the index along an axis; a negative index counts from the end."""
        known = getattr(kind, "literal_value", -1)
        if known >= 0:
            return Constant(self.context.get_value_type(types.intp), known)
        if not kind.signed:
            return self.context.cast(self.builder, i, kind, types.uintp)
        i = self.context.cast(self.builder, i, kind, types.intp)
        wrapped = self.builder.add(i, self.builder.extract_value(array.shape, axis))
        negative = self.builder.icmp_signed("<", i, Constant(i.type, 0))
        return self.builder.select(negative, wrapped, i)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        place = self._place(value, index)
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        loaded = self.builder.load(place)
        return self.context.cast(self.builder, loaded, self.typeof(value.name).dtype, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        place = self._place(target_var, index_var)
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self._cast_var(value_var, self.typeof(target_var.name).dtype)
        return self.builder.store(value, place)

    def lower_inst(self, inst: Any) -> None:
        if isinstance(inst, ir.StaticSetItem) and self._is_array(inst.target):
            signature = self.fndesc.calltypes[inst]
            self.lower_setitem(inst.target, inst.index_var, inst.value, signature)
        else:
            super().lower_inst(inst)

    def _is_array(self, variable: Any) -> bool:
        return isinstance(self.typeof(variable.name), types.Array)

    # lowering of expressions -----------------------------------------------------------------
    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "static_getitem" and expr.index_var is not None and self._is_array(expr.value):
            signature = self.fndesc.calltypes[expr]
            return self.lower_getitem(resty, expr, expr.value, expr.index_var, signature)
        if expr.op == "getattr" and expr.attr == "shape" and self._is_array(expr.value):
            name = expr.value.name
            return Parts(self.context, self.builder, self.typeof(name), self.loadvar(name)).shape
        if expr.op == "getiter" and expr.value.name in self._ranges:
            return self._count(expr.value)
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        numbers = self.typeof(expr.lhs.name), self.typeof(expr.rhs.name)
        if op in _POWERS or not all(isinstance(kind, types.Number) for kind in numbers):
            return super().lower_binop(resty, expr, op)
        signature = self.fndesc.calltypes[expr]
        values = list(map(self._cast_var, (expr.lhs, expr.rhs), signature.args))
        context = self.context.typing_context
        function = _type_of(context, op)
        chosen = context.resolve_function_type(function, signature.args, {})
        result = self.context.get_function(function, chosen)(self.builder, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    # lowering of loops -----------------------------------------------------------------------
    def lower_assign(self, ty: Any, inst: Any) -> Any:
        expr = inst.value
        if isinstance(ty, types.RangeType) and isinstance(expr, ir.Expr) and expr.op == "call":
            signature = self.fndesc.calltypes[expr]
            if len(expr.args) < 3 and not expr.kws and not expr.vararg and ty.dtype == types.int64:
                values = list(map(self._cast_var, expr.args, signature.args))
                start = Constant(values[-1].type, 0) if len(values) == 1 else values[0]
                self._ranges[inst.target.name] = start, values[-1]
                return Constant(self.context.get_value_type(ty), Undefined)
        return super().lower_assign(ty, inst)

    def _count(self, counted: Any) -> Any:
        """Iterator over the integers from start up to stop."""
        builder, kind = self.builder, self.typeof(counted.name).iterator_type
        start, stop = self._ranges[counted.name]
        iterator = self.context.make_helper(builder, kind)
        one, zero = Constant(start.type, 1), Constant(start.type, 0)
        left = builder.sub(stop, start)
        left = builder.select(builder.icmp_signed(">", left, zero), left, zero)
        iterator.iter = cgutils.alloca_once_value(builder, start)
        iterator.count = cgutils.alloca_once_value(builder, left)
        iterator.stop, iterator.step = stop, one
        return iterator._getvalue()


class KernelLowering(EntryLowering, CalledLowering):
    """Lowering of kernels, with the shortcuts of this module and the calls of ``calling``."""

    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        # LLVM would inline long kernels and optimise them again in every caller.
        if sum(len(block.instructions) for block in self.function.blocks) > MAX_INLINED_INSTRUCTIONS:
            self.function.attributes.add("noinline")
