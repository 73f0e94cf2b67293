"""Table of the solvers with a kernel; a compiled program names a solver by its index in this table."""

#: Module of each solver's kernel, by names of ``mlcp.SOLVERS``; it has ``in_a_step`` and ``work_size``.
KERNELS = {
    "direct": "mlcp.kernels.dense.direct",
    "pgs": "mlcp.kernels.pgs",
    "newton": "mlcp.kernels.newton",
}
