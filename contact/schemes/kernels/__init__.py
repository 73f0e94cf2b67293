"""The schemes' lines, one a file; ``table`` says which number is which."""
