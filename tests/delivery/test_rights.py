"""Who may do what, for every part that somebody can have in a delivery."""

import pytest

from engine.delivery.tickets.rights import may_lead, may_permit, may_review, may_work_on

from .scenario import ANN, BO, REQUESTER, instructed

STRANGER, ADMIN, NOBODY = "U_STRANGER", "U_ADMIN", ""


@pytest.mark.parametrize(
    ("user", "as_admin", "leads", "permits", "reviews", "works"),
    [
        pytest.param(REQUESTER, False, True, True, True, True, id="whoever asked"),
        pytest.param(ADMIN, True, True, True, True, True, id="an admin"),
        pytest.param(ADMIN, False, False, False, False, False, id="an admin of elsewhere"),
        pytest.param(ANN, False, False, False, False, True, id="whoever has the ticket"),
        pytest.param(BO, False, False, False, False, False, id="another participant"),
        pytest.param(STRANGER, False, False, False, False, False, id="a stranger"),
        pytest.param(NOBODY, True, False, False, False, False, id="nobody"),
    ],
)
def test_each_may_do_what_is_theirs(
    user: str, as_admin: bool, leads: bool, permits: bool, reviews: bool, works: bool
) -> None:
    scenario = instructed()
    state, ticket = scenario.state, scenario.ticket()

    assert may_lead(state, user, as_admin=as_admin) is leads
    assert may_permit(state, user, as_admin=as_admin) is permits
    assert may_review(state, ticket, user, as_admin=as_admin) is reviews
    assert may_work_on(state, ticket, user, as_admin=as_admin) is works
