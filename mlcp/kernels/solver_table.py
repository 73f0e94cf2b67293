"""Solvers with a kernel. An index here is the solver's number in a compiled program."""

#: Module of each kernel, by the names of ``mlcp.SOLVERS``. It has ``in_a_step`` and ``work_size``.
KERNELS = {
    "direct": "mlcp.kernels.dense.direct",
    "pgs": "mlcp.kernels.pgs",
    "newton": "mlcp.kernels.newton",
}
