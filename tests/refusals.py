"""A single test of many refusals."""

import pytest


def refusals(*cases, of=None, error=ValueError):
    """Test that each call is refused by one sentence with the given words.

    cases: ``(call, words)``, a function without arguments and a pattern; with ``of``, an argument
    and a pattern. error: kind of the exception.
    """

    @pytest.mark.parametrize(("case", "words"), cases, ids=range(len(cases)))
    def test(case, words):
        with pytest.raises(error, match=words) as caught:
            of(case) if of else case()
        assert "\n" not in str(caught.value)

    return test
