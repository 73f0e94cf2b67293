"""Guidance measured: stability limits, decay and a field test beside what closed forms say."""
