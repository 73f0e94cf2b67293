"""``python -m wheelground`` is the command ``wheelground``."""

from wheelground.command import main

if __name__ == "__main__":
    main()
