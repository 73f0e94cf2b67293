"""One file a word of the command ``wheelground``; programs of ``benchmarks`` need none."""
