"""One parametrised test of many calls that must be refused with an error."""

import pytest


def refusals(*cases, of=None, error=ValueError):
    """Return a test that each case raises ``error`` with a message of one line that matches a pattern.

    cases: ``(call, pattern)``, where ``call`` is a function without arguments. If the function ``of`` is
    given, a case is ``(argument, pattern)``, and ``of(argument)`` must raise.
    """

    @pytest.mark.parametrize(("case", "words"), cases, ids=range(len(cases)))
    def test(case, words):
        with pytest.raises(error, match=words) as caught:
            of(case) if of else case()
        assert "\n" not in str(caught.value)

    return test
