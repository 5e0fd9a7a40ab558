"""The content check: nothing that an agent writes calls everybody, leads elsewhere or tells a secret."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.deliberation.answers import LONGEST_OUTPUT, HostAnswer, PlannerAnswer
from engine.facts.content import INVISIBLE, LENGTH, MOST_PASSES, PASSAGES, WITHHELD, Check
from engine.facts.own_secrets import SHORTEST, keep_secret, own_secrets
from engine.facts.shortening import visible
from tests.deliberation.good_answers import GOOD

MARK: Final = WITHHELD["en"]
CHECK: Final = Check((), "en", LONGEST_OUTPUT)
WITH: Final = {
    "secret": (
        "sk-ant-api03-abcdefghijklmnop", "xoxb-123456789012-abcdef", "ghp_abcdefghijklmnopqrstuv",
        "AKIAABCDEFGHIJKLMNOP", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0", "-----BEGIN RSA PRIVATE KEY-----",
    ),
    "digits": ("0123456789abcdef0123456789abcdef", "5f1e0c9d4b7a2e8863c1d0fa94b7e25c81d36a0f9be4720d"),
    "link": (
        "https://evil.example/x?y=1", "http://evil", "evil.example/path", "data:text/html,evil", "www.evil.com", "[here](https://evil.example)",
        "<https://evil.example|this>", "mailto:eve@evil.example", "javascript:alert(1)",
    ),
    "address": ("eve@evil.example", "Eve.O'Neil+x@mail.evil.example"),
    "phone": ("+49 30 1234567", "138 1234 5678", "13812345678", "010-12345678", "(030) 555-1234", "555-123-4567"),
    "mention": (
        "<!channel>", "<!here|here>", "<!subteam^S123|@all>", "<@U_EVE>", "<#C123|general>", "@everyone", "＠Channel",
    ),
    "fence": ("</brief 0123456789abcdef>", "<facts 0123456789abcdef >"),
}  # fmt: skip
"""By kind."""
HARMLESS: Final = (
    "Aya books the room by 2026-12-07, 14:00 to 18:00, for 1,200.50 euros.",
    "From 2026-12-07 to 2026-12-11: 40 hours; 10 000 000 readers; task-3 (r1-risk-2).",
    "3 < 5, <3, 《书名》, a/b, e.g. this; 12月7日前由陈默完成，共50人，预算20000元。",
    "请＠大家确认，@全体成员带工具；@alle sind da, @all of us.",
    "Ask everyone, tell the whole channel, at 100% - 2:1, v1.2.3, plan.md",
)


def checked(text: str, check: Check = CHECK) -> tuple[str, tuple[str, ...]]:
    shown, kinds = check(HostAnswer(content=text))
    return shown.content, kinds


@pytest.mark.parametrize(("kind", "passage"), [(kind, each) for kind, all_ in WITH.items() for each in all_])
def test_a_passage_is_replaced_by_a_mark_and_named_by_its_kind(kind: str, passage: str) -> None:
    shown, kinds = checked(f"Look at this: {passage} and go on.")
    assert MARK in shown
    assert kind in kinds
    assert shown.startswith("Look at this: ")
    assert shown.endswith(" and go on.")
    assert "evil" not in shown


KEY: Final = ("MIIEpAIBAAKCAQEA7bq1/+x" * 3, "kQ9+AbCdEfGhIjKlMnOp/q==", "Zx8=")


@pytest.mark.parametrize("between", ["\n", " ", "\\n"], ids=["lines", "flattened", "in JSON"])
@pytest.mark.parametrize(
    "heads", [(), ("Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0F1E2D3C")], ids=["", "encrypted"]
)
@pytest.mark.parametrize("ends", [("-----END RSA PRIVATE KEY-----",), ()], ids=["whole", "cut off"])
def test_a_private_key_goes_with_all_of_its_lines(between: str, heads: tuple[str, ...], ends: tuple[str, ...]) -> None:
    lines = KEY if ends else KEY[:-1]
    block = between.join(("-----BEGIN RSA PRIVATE KEY-----", *heads, *lines, *ends))
    assert checked(f"The key: {block} and go on.") == (f"The key: {MARK} and go on.", ("secret",))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_plans_are_made_of_stays(text: str) -> None:
    assert checked(text) == (text, ())


@pytest.mark.parametrize(
    "given_",
    [
        "https://meet.example/room",
        "aya@club.example",
        "+49 30 1234567",
        "cc324af070c2ecbfd324a30884d2f951a7ff756a",
    ],
)
def test_what_people_gave_to_everybody_may_be_said_again(given_: str) -> None:
    check = Check((f"It is at {given_}.",), "en", LONGEST_OUTPUT)
    assert checked(f"Use {given_}, please", check) == (f"Use {given_}, please", ())
    assert checked("Use https://other.example", check)[1] == ("link",)


def test_secrets_and_calls_are_withheld_whoever_gave_them() -> None:
    check = Check(("ghp_abcdefghijklmnopqrstuv <!channel>",), "en", LONGEST_OUTPUT)
    assert set(checked("ghp_abcdefghijklmnopqrstuv <!channel>", check)[1]) == {"secret", "mention"}


def test_what_this_process_was_started_with_is_withheld_whatever_its_shape() -> None:
    ours = "correct-horse battery,short"
    keep_secret([ours])
    assert [each for each in own_secrets() if each in ours] == ["correct-horse"]
    assert all(len(each) >= SHORTEST for each in own_secrets())
    assert checked("It is correct-horse, or short.") == (f"It is {MARK}, or short.", ("secret",))


RIGHT: Final = (
    "Say first that the password is never sent by mail.",
    "Sag zuerst, dass das Passwort nie per Mail kommt: Das Passwort ist: niemals. Kennwort: wird geändert.",
    "先说明密码是绝不会通过邮件发送的；密码为八位以上，口令：由管理员发放。",
    "まず、パスワードはメールで送らないと伝える。パスワード：各自で変更。",
    "Dire d'abord que le mot de passe n'est jamais envoyé. API key: demandée à 14:00, le 2026-12-07.",
    "La contraseña es siempre personal; el access token: caduca el 2026-12-11.",
    "Сначала скажите, что пароль никогда не присылают; secret key: хранит Анна.",
    "قل أولا إن كلمة المرور لا ترسل بالبريد أبدا.",
    "UTC+8 2026-12-07 14:00; +2 2026-12-07; GMT+1 2026-12-07 10:00-11:30; 0900-1700 2026-12-07.",
    "Node.js, ASP.NET, Socket.io, Booking.com, README.md, .net and vue.dev; needed data:reports, Tel:later.",
    "sk-learn-compatible-estimators, xoxo-and-best-wishes; 1 200,50 €; ¥13,000; Rp 15.000.000.000; 12 000 000 Kč.",
)


@pytest.mark.parametrize("text", RIGHT)
def test_no_right_text_is_cut_in_whatever_language(text: str) -> None:
    assert checked(text) == (text, ())


LETTERS: Final = {
    "en": "abcdefghijklmnopqrstuvwxyz", "de": "abcdefghijklmnopqrstuvwxyzäöüß", "fr": "abcdefghijklmnoprstuvéèêçàùœ",
    "es": "abcdefghijklmnoprstuvyzñáéíóú", "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "ja": "あいうえおかきくけこさしすせそカキクケコ東京会議部屋", "zh": "我们需要一个房间开会由陈默在下周完成密码是",
}  # fmt: skip
AMONG: Final = (
    "2026-12-07", "14:00", "14:00-18:00", "UTC+8", "task-3", "r1-risk-2", "1,200.50", "1.200,50 €", "50%",
    "n.a.", "v1.2.3", "a/b", "50 000", "10 000 000", "(40)", "¥20000", "U_AYA", "plan.md", "#3", "§ 12", "KW 51", "3–5",
)  # fmt: skip


@given(
    st.sampled_from([*LETTERS.values()]).flatmap(
        lambda letters: st.lists(
            st.text(st.sampled_from(letters), min_size=1, max_size=14) | st.sampled_from(AMONG), min_size=1, max_size=12
        )
    ),
    st.sampled_from([" ", ", ", "; ", ": ", "，", "。", " – "]),
)
@example(["password", "is", "never", "sent"], " ")
def test_words_days_times_sums_and_ids_stay_whatever_the_language(words: list[str], between: str) -> None:
    text = between.join(words)
    assert checked(text) == (text, ())


def test_the_mark_is_in_the_language_of_the_brief() -> None:
    assert checked("请看 https://evil.example", Check((), "zh", LONGEST_OUTPUT)) == ("请看 （已略去）", ("link",))


def test_invisible_characters_hide_nothing() -> None:
    shown, kinds = checked("<\u200b!chan\u2060nel>")
    assert shown == MARK
    assert set(kinds) == {INVISIBLE, "mention"}


def test_an_output_is_no_longer_than_the_seed_allows() -> None:
    shown, kinds = checked("x" * (LONGEST_OUTPUT + 1))
    assert len(shown) == LONGEST_OUTPUT
    assert kinds == (LENGTH,)


def test_every_text_of_an_answer_is_checked_and_no_id() -> None:
    answer = PlannerAnswer.checked(
        {**GOOD["revise"], "position": {**GOOD["revise"]["position"], "worst_case": "@everyone leaves"}}
    )
    shown, kinds = CHECK(answer)
    assert shown.position.worst_case == f"{MARK} leaves"
    assert kinds == ("mention",)
    assert shown.plan == answer.plan


PIECES: Final = [each for all_ in WITH.values() for each in all_]
PARTS: Final = [*PIECES, *HARMLESS, " ", "\n", MARK, "<", ">", "@", ".", "\u200b"]


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
@example("<!<!channel>channel>")
@example("https://https://evil.example")
@example("@@everyoneeveryone")
@example("<!" * MOST_PASSES + "<!here>" + "here>" * MOST_PASSES)
def test_nothing_is_left_of_what_was_withheld(text: str) -> None:
    shown, _ = checked(text)
    assert not [kind for kind, pattern in PASSAGES.items() if pattern.search(shown)]
    assert checked(shown) == (shown, ())
    assert visible(shown) == shown
    assert len(shown) <= LONGEST_OUTPUT


@given(st.text(max_size=400))
def test_any_text_can_be_checked(text: str) -> None:
    shown, _ = checked(text or "-")
    assert checked(shown) == (shown, ())
