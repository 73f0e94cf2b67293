"""One file a word of the command ``wheelground``; those of ``reports`` have their own programs."""
