"""What the negotiation's part of the HTTP interface is sent. What it tells is `engine.negotiation.public`."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bot.api.schemas import ApiModel, UserId

SlackChannel = Annotated[str, StringConstraints(pattern=r"^[CG][A-Z0-9_]{1,63}$")]


class NewDemand(ApiModel):
    """Seed 000, section 3.1.1, and where in Slack the thread shall stand."""

    raw_input: Annotated[str, Field(min_length=1, max_length=5_000)]
    """In somebody's own words: up to 4,000 characters, not counting spaces around them."""
    user_id: UserId | None = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    slack_channel: SlackChannel | None = None
    """Where the thread shall stand. Left out: there is none, and linked people are written to directly."""
    locale: Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """In which they read, `de-DE`: what is told before the demand was understood is told in it, where Slack has not
    said which it is."""
    own_votes: bool = False
    """Whether people's own votes only are wanted: twins prepare theirs for people to give."""


class DemandAsked(ApiModel):
    shape: Literal["public", "seed"] = "public"
    """`seed`: what seed 000 has, in its words and in no others."""
