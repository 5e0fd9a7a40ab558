"""Six people and an evening, in texts as people and models write them, for what counts what there is to read."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from benchmarks.thread_heights import Hesitant
from engine.directory.profile import Profile, Profiles
from engine.llm.port import Question


class Part(NamedTuple):
    """What somebody brings."""

    name: str
    tag: str
    need: str
    offer: str
    role: str
    task: str


DEMAND: Final = (
    "A reading evening for sixty people in Berlin on 18 March 2027, from 19:00 to 22:00: a room, three authors, "
    "somebody who leads through it, food and drinks, sound, and an invitation that people like to pass on"
)
SUMMARY: Final = (
    "A reading evening for sixty people on 18 March in the loft at Kottbusser Tor: three authors read for twenty "
    "minutes each, with time to eat and talk between them."
)
RESULT: Final = "It is booked and confirmed for 18 March; the confirmation is in the mail of this morning."
"""What each shows in the end."""
PEOPLE: Final = (
    Part("Mara Vogt", "venue", "a room for sixty", "Our loft holds seventy, with chairs and a small stage.",
         "Room", "Keeps the loft free from 16:00 and locks up after the last guest."),
    Part("Daniel Okafor", "authors", "three authors", "I can ask three authors of our house who like to read.",
         "Authors", "Invites the three authors and agrees on what each reads."),
    Part("Ines Ferreira", "moderation", "a host", "I have led through readings for six years.",
         "Host", "Introduces each author and leads the talk after every reading."),
    Part("Tom Hartley", "catering", "food and drinks", "Soup, bread and cheese for sixty, vegan as well.",
         "Food and drinks", "Brings food for sixty at 18:00 and takes everything away at the end."),
    Part("Yuki Tanabe", "sound", "sound", "I bring two microphones and a small mixer.",
         "Sound", "Sets up by 17:30, tests with each author, and mixes the evening."),
    Part("Priya Nair", "design", "an invitation", "I draw an invitation for print and for the web.",
         "Invitation", "Draws the invitation and sends it round two weeks before."),
)  # fmt: skip
KNOWN: Final = (
    "I live in Berlin and have helped with readings, lectures and small festivals for years, mostly in the evening, "
    "after my other work. I like to know early what is expected, and I keep what I have promised. Tell me what people "
    "should take home from it."
)
"""What each says of themselves besides."""
WISHING: Final = 4
"""The number of whoever wants a change in the first round."""
WISH: Final = "Begin half an hour later: I come from another job and need until 18:30 to set up."


def agent(number: int) -> str:
    return f"user_agent_p{number:02}"


def profiles(users: list[str]) -> Profiles:
    """Each of the users as one of the people, in their order."""
    made = {
        agent(number): Profile(
            agent_id=agent(number),
            user_name=part.name,
            profile_summary=f"{part.offer} {KNOWN}",
            location="Berlin",
            tags=(part.tag,),
            capabilities={part.tag: part.offer},
            availability="Evenings",
            languages=("en",),
        )
        for number, part in enumerate(PEOPLE)
    }
    return Profiles(made).with_links({agent(number): user for number, user in enumerate(users)})


class Storyteller(Hesitant):
    """A model that understands everything: each person offers what they have, and the second version has the wish."""

    def __init__(self) -> None:
        super().__init__(len(PEOPLE), 2)

    def said(self, question: Question[Any]) -> dict[str, Any]:
        given = question.given
        match question.prompt.name:
            case "negotiation/understand":
                needs = [
                    {"need_id": f"need_{number}", "what": each.need, "tags": [each.tag]}
                    for number, each in enumerate(PEOPLE, 1)
                ]
                return {"surface_demand": DEMAND, "needs": needs, "confidence": "high", "language": "en"}
            case "negotiation/respond":
                number = _number(given["profile"].agent_id)
                covered = {"need_id": f"need_{number + 1}", "quote": PEOPLE[number].offer, "source": "profile"}
                return {
                    "decision": "participate",
                    "contribution": PEOPLE[number].offer,
                    "covers": [covered],
                    "confidence": 90,
                }
            case "negotiation/feedback":
                return {"feedback_type": "accept", "reasoning": "That evening is free, and this is what I do."}
            case "negotiation/aggregate":
                return _plan([each.agent_id for each in given["offers"]], later=False)
            case "negotiation/adjust":
                return _plan([each.agent_id for each in given["proposal"].assignments], later=True)
            case _:
                return super().said(question)


def _number(agent_id: str) -> int:
    return int(agent_id[-2:])


def _plan(agents: list[str], *, later: bool) -> dict[str, Any]:
    start, end = ("19:30", "22:30") if later else ("19:00", "22:00")
    plan: dict[str, Any] = {
        "summary": SUMMARY,
        "objective": "Sixty people hear three authors, and meet them.",
        "assignments": [_assignment(each) for each in agents],
        "when": {"first": "2027-03-18", "last": "2027-03-18", "start": start, "end": end, "exact": "day"},
        "timeline": {
            "milestones": [
                _step("The authors have said yes", "2027-02-12", 1),
                _step("The invitation is out", "2027-03-04", 5),
                _step("The evening", "2027-03-18", 2),
            ]
        },
        "confidence": "high",
    }
    if later:
        change = {
            "aspect": "Beginning", "before": "19:00", "after": "19:30",
            "reason": "so that there is time to set up", "agent_id": agent(WISHING),
        }  # fmt: skip
        plan["adjustment_summary"] = {"changes_made": [change]}
    return plan


def _assignment(agent_id: str) -> Mapping[str, Any]:
    number = _number(agent_id)
    part = PEOPLE[number]
    return {
        "agent_id": agent_id,
        "role": part.role,
        "responsibility": part.task,
        "covers": [f"need_{number + 1}"],
        "attends": part.tag not in ("design", "authors"),
    }


def _step(name: str, date: str, number: int) -> Mapping[str, str]:
    return {"name": name, "day": date, "date": date, "agent_id": agent(number)}
