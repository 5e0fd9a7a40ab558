"""The cipher: what it leaves as it is, what it keeps alike, and that whoever reads words is found out by it."""

from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.demo.oracle.bench import measure
from bot.demo.oracle.cipher import Cipher, LetterEncoder, names_in
from bot.demo.oracle.scenarios import Named, Scenario
from bot.models import needed_prompts
from bot.registry import PROTOCOLS

from .readers import READERS, PlantedReader
from .test_bench import FOLDER, PARTS, scenarios

SCENARIO: Final = Named(
    name="restore",
    path=FOLDER,
    scenario=Scenario.model_validate(
        {
            "demand": "Restore the crashed billing database, please.",
            "people": {
                "ines": {
                    "name": "Ines Ortega",
                    "city": "Madrid",
                    "profile": "I run our PostgreSQL servers: backups, point-in-time recovery, résumés of both.",
                }
            },
            "answers": {
                "understand": {
                    "surface_demand": "The crashed billing database is restored.",
                    "needs": [{"need_id": "need_1", "what": "the billing database restored"}],
                },
                "respond": {"ines": {"contribution": "Restores it.", "covers": ["need_1"]}},
            },
            "expect": {"status": "finalized", "needs": {"need_1": ["ines"]}},
        }
    ),
)


async def test_without_a_reader_it_is_in_cipher_as_in_clear() -> None:
    report = await measure([SCENARIO], PARTS, needed_prompts(PROTOCOLS), in_cipher=True)

    assert report.wrong == {}
    assert report.differing == {}


def test_a_city_that_is_planted_stays_as_well() -> None:
    planted = {"at": "respond/ines", "field": "city", "value": "Delhi", "kind": "name"}
    scenario = SCENARIO.scenario.model_validate(SCENARIO.scenario.model_dump(by_alias=True) | {"planted": [planted]})
    assert "Delhi" in names_in(scenario)


@pytest.mark.parametrize("kind", READERS)
async def test_a_planted_reader_of_words_is_found_out(kind: str) -> None:
    report = await measure(
        [SCENARIO],
        PARTS,
        needed_prompts(PROTOCOLS),
        in_cipher=True,
        around=lambda model: PlantedReader(model, READERS[kind]),
    )

    assert report.wrong, "in clear it reads what it looks for"
    assert report.differing


async def test_nothing_is_compared_in_meaning_but_texts_of_the_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence of the code's own is read beside them, however far it is from all that is said here."""
    encode, given = LetterEncoder.encode, {False: set[str](), True: set[str]()}

    def recorded(self: LetterEncoder, texts: Sequence[str]) -> Sequence[Any]:
        given[self.read is not None] |= {(self.read(each) if self.read else each).casefold() for each in texts}
        return encode(self, texts)

    monkeypatch.setattr(LetterEncoder, "encode", recorded)
    right = {"planted": ()}
    found = scenarios(FOLDER / "deliberation" / "teams.yaml")
    plain = [each.model_copy(update={"scenario": each.scenario.model_copy(update=right)}) for each in found]
    await measure(plain, PARTS, needed_prompts(PROTOCOLS), in_cipher=True)

    assert given[True] == given[False] != set()


TEXTS: Final = {
    "en": "We need a room. Who has one?",
    "zh": "周六办一场无酒精的聚会，谁来？",
    "de": "Für Gebärdensprache: übermorgen, größer.",
    "fr": "À midi, où êtes-vous ?",
    "es": "¿Quién canta el sábado?",
    "ja": "手当てのできる人はいますか。",
    "ar": "من يعلّم الأطفال الخطّ؟",
    "ru": "Кто починит рояль?",
    "hi": "योग सिखाने वाला चाहिए।",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_keeps_its_length_in_letters_and_in_bytes_and_comes_back(language: str) -> None:
    text, cipher = TEXTS[language], Cipher()

    turned = cipher.turned(text)

    assert turned != text
    assert len(turned) == len(text)
    assert len(turned.encode()) == len(text.encode())
    assert cipher.back(turned) == text
    assert not {*text.split()} & {each for each in turned.split() if any(map(str.isalpha, each))}


@pytest.mark.parametrize(
    "kept",
    ["need_1", "user_agent_ines", "2027-03-05", "18:30", "400 EUR", "https://example.org/a?b=c", "ann@example.org",
     "<@U_ANN>", "sk-ant-api03-AAAABBBB1111", "Ines Ortega", "Kraków", "林美"],
)  # fmt: skip
def test_what_is_no_prose_stays(kept: str) -> None:
    turned = Cipher(["Ines Ortega", "Kraków", "林美"]).turned(f"Ask about {kept} today")

    assert kept in turned
    assert "about" not in turned
    assert "today" not in turned


@given(st.text(max_size=40), st.text(max_size=40))
def test_equal_texts_stay_equal_and_different_ones_different(one: str, other: str) -> None:
    cipher = Cipher()
    turned = cipher.turned(one), cipher.turned(other)

    assert cipher.turned(one) == turned[0]
    assert (one == other) == (turned[0] == turned[1]) or "^" in one + other or one.casefold() == other.casefold()


@pytest.mark.parametrize("quote", ["backups, point-in-time", "Backups, Point-In-Time", "recovery"])
def test_a_quote_stands_in_its_source_as_before(quote: str) -> None:
    cipher = Cipher()
    source = cipher.turned("I run our servers: backups, point-in-time recovery.")

    assert cipher.turned(quote).casefold() in source.casefold()


def test_texts_are_as_near_to_each_other_as_in_clear_and_to_nothing_that_was_stored() -> None:
    cipher, clear = Cipher(), LetterEncoder()
    one, other = "Restore the database", "the database restored"
    in_clear, in_cipher = (
        clear.encode([one, other]),
        LetterEncoder(cipher.back).encode([cipher.turned(one), cipher.turned(other)]),
    )

    assert float(in_cipher[0] @ in_cipher[1]) == pytest.approx(float(in_clear[0] @ in_clear[1]), abs=1e-5)
    assert abs(float(in_cipher[0] @ in_clear[0])) < 0.4
