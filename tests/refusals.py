"""One test for many refusals."""

import pytest


def refusals(*cases, of=None, error=ValueError):
    """A test that each call is refused by one sentence with the words beside it.

    cases: ``(call, words)``, a function without arguments and a pattern; with ``of``, what it is given
    and a pattern. error: kind of the exception.
    """

    @pytest.mark.parametrize(("case", "words"), cases, ids=range(len(cases)))
    def test(case, words):
        with pytest.raises(error, match=words) as caught:
            of(case) if of else case()
        assert "\n" not in str(caught.value)

    return test
