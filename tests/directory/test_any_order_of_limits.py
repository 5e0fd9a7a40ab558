"""Whatever order people, models and files act in: nothing holds as data but what its owner, or a file, has said."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.directory.messages import (
    ConfirmLimit,
    LoadProfiles,
    ReadProfiles,
    RecordReading,
    ResetProfile,
    SaveProfile,
)
from engine.directory.profile import HeldLimit, Limits, Profile
from engine.directory.rules import RULEBOOK
from engine.errors import Refusal
from engine.facts.circumstances import People
from engine.facts.data import Days, Hours
from engine.kernel import Ask, Command, decode, encode
from tests.examples import examples
from tests.profiles.people import person

OWNER, ADMIN, EVE = "U_AYA", "U_ADMIN", "U_EVE"
AYAS = "user_agent_aya"
LINES = ("周一不行", "por la noche no", "at most 20", "лишь онлайн")
DATA = (Days(weekdays=("mon",), allowed=False), Hours(start="22:00", allowed=False), People(at_most=20), None)
ABOUT: dict[str, Any] = {"command_id": "c", "at": 0}

lines = st.lists(st.sampled_from(LINES), unique=True, max_size=3).map(tuple)
data = st.sampled_from(DATA)


class Limiting(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.state: Any = RULEBOOK.initial
        self.history: list[Any] = []
        self.said: dict[str, HeldLimit] = {}
        """The owner's last word, of each line that has been there ever since."""
        self.owed: dict[int, tuple[HeldLimit, ...]] = {}
        """What each question that is not voided is about."""
        self.does(LoadProfiles(**ABOUT, profiles=(self.profile(("周一不行",), ()),)))

    def profile(self, told: tuple[str, ...], never: tuple[str, ...]) -> Profile:
        return person("aya", slack_user=OWNER, from_now_on=told, limits=Limits(never=never))

    @property
    def now(self) -> Profile:
        found: Profile | None = self.state.entry(AYAS).profile
        assert found is not None
        return found

    def does(self, command: Command) -> int:
        try:
            decision = RULEBOOK.decide(self.state, command)
        except Refusal:
            return 0
        if decision.void:
            self.owed.clear()
        for event in decision.events:
            self.state = RULEBOOK.evolve(self.state, event)
            self.history.append(event)
        for number, effect in enumerate(decision.effects, start=len(self.history)):
            assert isinstance(effect, Ask)
            self.owed[number] = self.state.entry(AYAS).being_read
        keys = {each.key for each in self.now.stated_limits}
        self.said = {key: each for key, each in self.said.items() if key in keys}
        return len(decision.events)

    @rule(told=lines, never=lines)
    def saves(self, told: tuple[str, ...], never: tuple[str, ...]) -> None:
        revision = self.state.entry(AYAS).revision
        said = self.profile(told, never)
        self.does(SaveProfile(**ABOUT, by=OWNER, agent_id=AYAS, profile=said, revision=revision))

    @rule(told=lines, never=lines)
    def loads(self, told: tuple[str, ...], never: tuple[str, ...]) -> None:
        self.does(LoadProfiles(**ABOUT, profiles=(self.profile(told, never),)))

    @rule()
    def resets(self) -> None:
        self.does(ResetProfile(**ABOUT, by=ADMIN, as_admin=True, agent_id=AYAS))

    @rule(with_model=st.booleans())
    def is_asked(self, with_model: bool) -> None:
        self.does(ReadProfiles(**ABOUT, agent_ids=(AYAS,), with_model=with_model))

    @rule(found=data, model=st.sampled_from(("claude", "offline")), again=st.booleans(), at=st.integers(0, 5))
    def is_read(self, found: Any, model: str, again: bool, at: int) -> None:
        if not self.owed:
            return
        number = sorted(self.owed)[at % len(self.owed)]
        limits = tuple(each.model_copy(update={"data": found, "state": "read"}) for each in self.owed[number])
        command = RecordReading(**ABOUT, agent_id=AYAS, limits=limits, model=model)
        self.does(command)
        if again:
            before = self.state
            self.does(command)
            assert self.now.limit_data == before.entry(AYAS).profile.limit_data
        self.owed.pop(number, None)

    @rule(at=st.integers(0, 5), state=st.sampled_from(("on", "off", "read")), found=data)
    def says(self, at: int, state: Any, found: Any) -> None:
        if not self.now.stated_limits:
            return
        limit = self.now.stated_limits[at % len(self.now.stated_limits)]
        self.does(ConfirmLimit(**ABOUT, by=OWNER, agent_id=AYAS, key=limit.key, state=state, data=found))
        self.said[limit.key] = limit.model_copy(update={"state": state, "data": found, "scope": "own"})

    @rule(by=st.sampled_from((EVE, ADMIN)), words=st.sampled_from(LINES), found=data)
    def somebody_else_says(self, by: str, words: str, found: Any) -> None:
        key = HeldLimit(words=words, source="never").key
        assert self.does(ConfirmLimit(
            **ABOUT, by=by, as_admin=by == ADMIN, agent_id=AYAS, key=key, state="on", data=found
        )) == 0  # fmt: skip

    @rule(words=st.sampled_from(LINES), found=data)
    def says_of_what_is_gone(self, words: str, found: Any) -> None:
        limit = HeldLimit(words=words, source="leaves_if")
        command = ConfirmLimit(**ABOUT, by=OWNER, agent_id=AYAS, key=limit.key, state="on", data=found)
        assert self.does(command) == 0

    @invariant()
    def only_what_was_said_holds_as_data(self) -> None:
        held = {each.key: each.data for each in self.now.data_limits}
        assert held == {
            key: each.data for key, each in self.said.items() if each.state == "on" and each.data is not None
        }

    @invariant()
    def what_is_in_words_is_asked_about_unless_it_is_off(self) -> None:
        off = {key for key, each in self.said.items() if each.state == "off"}
        as_data = {each.key for each in self.now.data_limits}
        asked = {each.key for each in self.now.stated_limits} - off - as_data
        assert {each.key for each in self.now.worded_limits} == asked

    @invariant()
    def what_is_read_is_read_of_lines_that_are_there(self) -> None:
        assert {each.key for each in self.now.limit_data} <= {each.key for each in self.now.stated_limits}
        reading = self.state.entry(AYAS).reading
        assert reading <= {each.key for each in self.now.stated_limits}

    @invariant()
    def it_is_the_same_when_it_is_replayed(self) -> None:
        replayed = RULEBOOK.fold([decode(encode(each), type(each)) for each in self.history])
        assert replayed == self.state


TestAnyOrder = Limiting.TestCase
TestAnyOrder.settings = settings(max_examples=examples(30), stateful_step_count=20, deadline=None)
