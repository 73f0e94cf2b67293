"""Cases of ``benchmarks.realtime``: computing time of steps, one solve and several rates."""
