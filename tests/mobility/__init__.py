"""Tests of mobility maps: force balance, borders of GO and NO-GO, probabilities."""
