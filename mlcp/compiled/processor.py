"""The compiler and the processor that kernels are compiled for."""

from __future__ import annotations

from llvmlite import binding


def processor() -> str:
    """In words, as in "LLVM 20.1.8 for znver4"."""
    return f"LLVM {'.'.join(map(str, binding.llvm_version_info))} for {binding.get_host_cpu_name()}"
