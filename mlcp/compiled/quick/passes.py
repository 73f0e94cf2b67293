"""Changes to Numba for kernels: code libraries, list of passes, cached types, no lifetimes.

Library class: Numba optimises every function and makes machine code of it, and does so again in each
caller up to the entry point. Here a kernel is only translated to LLVM; an entry point links each kernel
in its reach once, as a private function, and is optimised as a whole. This halves the first run's
compile time and makes a step a tenth faster, since LLVM may specialise private functions.

List of passes: kernels have no closures, comprehensions or array expressions and own no objects to be
released, so the passes for these are left out.

Cached types: for each expression such as ``a * b`` Numba tries some ten templates, each with a key of
two dozen compiler options. The type of the result depends on the operands' types alone, so it is kept.

No lifetimes: after every pass that moves code Numba computes the lifetime of each variable, for
generators and for objects to be released. Kernels have neither.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.core import base, transforms, typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import ConfigStack

from .lowering import EntryLowering, KernelLowering


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    _name = "kernel_lowering"
    lowering_class: Any = KernelLowering


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(typed_passes.NativeLowering):
    _name = "entry_lowering"
    lowering_class: Any = EntryLowering


_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.InlineInlinables,
    untyped_passes.DeadBranchPrune,  # removes branches on constants after inlining
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.InlineOverloads,
)


def _reached(library: Any) -> list[Any]:
    """Libraries needed by a library, directly or not, in a fixed order."""
    found = dict.fromkeys(library._linking_libraries)
    for needed in (waiting := list(found)):
        fresh = [other for other in needed._linking_libraries if other not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return waiting


def _defined(library: Any) -> set[str]:
    """Names of the functions defined in a library."""
    functions = library._get_module_for_linking().functions
    return {function.name for function in functions if not function.is_declaration}


class KernelLibrary(JITCodeLibrary):
    """LLVM code of one kernel, for linking only, without machine code of its own."""

    called_by_kernels = True

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: a kernel has no Python environment."""


class EntryLibrary(JITCodeLibrary):
    """Machine code of an entry point and of all kernels in its reach."""

    def finalize(self) -> None:
        module = self._final_module
        own = {function.name for function in module.functions if not function.is_declaration}
        waiting = _reached(self)
        while waiting:
            for library in waiting:
                module.link_in(library._get_module_for_linking(), preserve=True)
            # link_in drops functions without a caller so far; a later caller needs them linked again
            called = {function.name for function in module.functions if function.is_declaration}
            waiting = [library for library in waiting if not called.isdisjoint(_defined(library))]
        self._linking_libraries = []
        for function in module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        super().finalize()


class _Types:
    """Numba's return types of functions by argument types, inferred once for each."""

    def __init__(self, context: Any) -> None:
        self.resolve = context.resolve_function_type
        self.known: dict[Any, Any] = {}

    def __call__(self, function: Any, arguments: Any, named: Any) -> Any:
        ours = isinstance(function, types.Type) and not isinstance(function, types.Function)
        if named or ours or isinstance(function, str):
            return self.resolve(function, arguments, named)
        options: Any = ConfigStack.top_or_none()
        key = function, arguments, options.error_model, options.nrt
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.resolve(function, arguments, named)
        return found


@functools.cache
def _types_of(context: Any) -> _Types:
    return _Types(context)


setattr(base, "_has_loc", functools.cache(base._has_loc))  # noqa: B010  as below
_find_lifetimes = PostProcessor.run


def _tidy(self: Any, emit_dels: bool = False, **options: Any) -> None:
    """``PostProcessor.run`` without the lifetimes, which are computed on demand."""
    if emit_dels or self.func_ir.is_generator:
        _find_lifetimes(self, emit_dels, **options)
        return
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


class KernelCompiler(Compiler):
    """Compiler of a kernel, to LLVM code."""

    library_class: Any = KernelLibrary
    lowering: Any = _Lowering

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernel")
        for one in (*_PASSES, self.lowering, typed_passes.NoPythonBackend):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        context = self.state.typingctx
        asked = vars(context).get("resolve_function_type")
        context.resolve_function_type = asked or _types_of(context)
        setattr(PostProcessor, "run", _tidy)  # noqa: B010  type checkers reject an assignment
        try:
            codegen = self.state.targetctx.codegen()
            self.state.library = self.library_class(codegen, func.__qualname__)
            self.state.library.enable_object_caching()
            return super().compile_extra(func)
        finally:
            if asked is None:
                del context.resolve_function_type
                PostProcessor.run = _find_lifetimes


class EntryCompiler(KernelCompiler):
    """Compiler of an entry point and all kernels in its reach, to machine code."""

    library_class = EntryLibrary
    lowering = _EntryLowering
