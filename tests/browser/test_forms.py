"""What an app puts before people: cards with buttons, forms, questions, a Home, commands and shortcuts."""

from __future__ import annotations

from typing import Any, Final

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace

from ..local_slack.conftest import AYA, BO, GENERAL, running
from .page_objects import Visits, message, seen, write

pytestmark = pytest.mark.asyncio(loop_scope="session")


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def options(*names: str) -> list[dict[str, Any]]:
    return [{"text": plain(name.title()), "value": name} for name in names]


def field(name: str, element: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": name,
        "label": plain(name.title()),
        "element": {"action_id": name, **element},
        **more,
    }


FORM: Final[dict[str, Any]] = {
    "type": "modal",
    "callback_id": "form",
    "title": plain("A demand"),
    "submit": plain("Send"),
    "close": plain("Cancel"),
    "blocks": [
        {"type": "section", "text": {"type": "mrkdwn", "text": "Say *what* you need."}},
        field("what", {"type": "plain_text_input", "min_length": 5}, hint=plain("In your own words")),
        field("why", {"type": "plain_text_input", "multiline": True}, optional=True),
        field("kind", {"type": "radio_buttons", "options": options("small", "big")}),
        field("city", {"type": "static_select", "options": options("berlin", "beijing"), "placeholder": plain("Pick")}),
        field("needs", {"type": "checkboxes", "options": options("venue", "food", "speakers")}),
        field("who", {"type": "users_select"}),
        field("when", {"type": "datepicker"}),
    ],
}
TWO_FRAMES: Final = "new Promise((passed) => requestAnimationFrame(() => requestAnimationFrame(passed)))"
QUESTION: Final = {
    "title": plain("Withdraw?"),
    "text": plain("It is final."),
    "confirm": plain("Withdraw"),
    "deny": plain("Stay"),
}
CARD: Final[list[dict[str, Any]]] = [
    {"type": "header", "text": plain("Proposal 1")},
    {"type": "section", "text": {"type": "mrkdwn", "text": "A room in *Wangjing*"}},
    {"type": "divider"},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "two of three"}]},
    {
        "type": "actions",
        "elements": [
            {"type": "button", "action_id": "open", "text": plain("Answer"), "style": "primary"},
            {"type": "button", "action_id": "leave", "text": plain("Withdraw"), "style": "danger", "confirm": QUESTION},
            {
                "type": "button",
                "action_id": "mine",
                "text": plain("For Bo alone"),
                "visible_to_user_ids": [BO],
            },
        ],
    },
]


async def test_a_card_opens_a_form_and_what_was_filled_in_reaches_the_app(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, visits: Visits
) -> None:
    received: list[dict[str, Any]] = []

    @app.action("open")
    async def opened(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        await ack()

    @app.view("form")
    async def sent(ack: AsyncAck, view: dict[str, Any]) -> None:
        received.append(view["state"]["values"])
        if len(received) == 1:
            await ack(response_action="errors", errors={"what": "Say it more precisely."})
        else:
            await ack()

    async with running(app, workspace):
        await client.chat_postMessage(channel=GENERAL, text="Proposal 1", blocks=CARD)
        page = await visits.open(workspace.url, AYA, GENERAL)
        await seen(page.get_by_role("heading", name="Proposal 1")).to_be_visible()
        await seen(page.get_by_role("button", name="For Bo alone")).to_be_hidden()
        await page.get_by_role("button", name="Answer").press("Enter")

        form = page.get_by_role("dialog", name="A demand")
        await seen(form.get_by_role("textbox", name="What")).to_be_focused()
        await seen(form.get_by_role("textbox", name="What")).to_have_accessible_description("In your own words")
        await form.get_by_role("button", name="Send").click()
        await seen(form.get_by_text("Please complete this required field.")).to_have_count(6)
        await seen(form.get_by_role("textbox", name="What")).to_be_focused()

        await page.keyboard.type("A venue")
        await form.get_by_role("textbox", name="Why").fill("Since *we* grow")
        await form.get_by_role("radiogroup", name="Kind").get_by_label("Big").check()
        await form.get_by_label("City").select_option("beijing")
        await form.get_by_role("group", name="Needs").get_by_label("Venue").check()
        await form.get_by_role("group", name="Needs").get_by_label("Speakers").check()
        await form.get_by_label("Who").select_option(BO)
        await form.get_by_label("When").fill("2030-01-02")
        await page.reload()  # what was entered is still there
        await seen(form.get_by_role("textbox", name="What")).to_have_value("A venue")
        await form.get_by_role("textbox", name="What").press("ControlOrMeta+Enter")

        await seen(form.get_by_text("Say it more precisely.")).to_be_visible()
        await seen(form.get_by_role("textbox", name="What")).to_have_accessible_description(
            "In your own words Say it more precisely."
        )
        await form.get_by_role("button", name="Send").click()
        await seen(form).to_be_hidden()

    values = received[-1]
    assert received[0] == values
    assert values["what"]["what"]["value"] == "A venue"
    assert values["why"]["why"]["value"] == "Since *we* grow"
    assert values["kind"]["kind"]["selected_option"]["value"] == "big"
    assert values["city"]["city"]["selected_option"]["value"] == "beijing"
    assert [each["value"] for each in values["needs"]["needs"]["selected_options"]] == ["venue", "speakers"]
    assert values["who"]["who"]["selected_user"] == BO
    assert values["when"]["when"]["selected_date"] == "2030-01-02"


async def test_a_button_that_is_drawn_anew_while_it_is_pressed_was_pressed(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, visits: Visits
) -> None:
    @app.action("open")
    async def opened(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        await ack()

    async with running(app, workspace):
        posted = await client.chat_postMessage(channel=GENERAL, text="Proposal 1", blocks=CARD)
        page = await visits.open(workspace.url, AYA, GENERAL)
        await page.get_by_role("button", name="Answer").hover()
        await page.mouse.down()
        changed = [{"type": "section", "text": plain("Changed")}, *CARD[1:]]
        async with page.expect_response("**/messages?*"):
            await client.chat_update(channel=GENERAL, ts=posted["ts"], text="Changed", blocks=changed)
        await page.evaluate(TWO_FRAMES)
        await page.mouse.up()
        await seen(page.get_by_role("dialog", name="A demand")).to_be_visible()
        await seen(page.get_by_text("Changed")).to_be_visible()


async def test_what_is_final_is_asked_first_and_the_answer_is_for_one_person(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, visits: Visits
) -> None:
    @app.action("leave")
    async def left(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await client.chat_postEphemeral(channel=GENERAL, user=body["user"]["id"], text="You are out.")
        await client.chat_update(channel=GENERAL, ts=body["message"]["ts"], text="Aya withdrew", blocks=[])
        await ack()

    async with running(app, workspace):
        await client.chat_postMessage(channel=GENERAL, text="Proposal 1", blocks=CARD)
        aya = await visits.open(workspace.url, AYA, GENERAL)
        bo = await visits.open(workspace.url, BO, GENERAL)
        await seen(bo.get_by_role("button", name="For Bo alone")).to_be_visible()
        await aya.get_by_role("button", name="Withdraw").click()
        asked = aya.get_by_role("dialog", name="Withdraw?")
        await seen(asked).to_contain_text("It is final.")
        await aya.keyboard.press("Escape")
        await seen(asked).to_be_hidden()
        await seen(aya.get_by_role("button", name="Withdraw")).to_be_focused()
        assert (await workspace.admin.calls())["interactive"] == 0

        await aya.keyboard.press("Enter")
        await asked.get_by_role("button", name="Withdraw").click()
        await seen(message(aya, "You are out.")).to_contain_text("Only visible to you")
        await seen(message(bo, "Aya withdrew")).to_be_visible()
        await seen(message(bo, "You are out.")).to_be_hidden()


async def test_commands_and_shortcuts_are_offered(workspace: LocalWorkspace, app: AsyncApp, visits: Visits) -> None:
    asked: list[str] = []

    @app.command("/towow")
    async def towow(ack: AsyncAck, command: dict[str, Any], respond: AsyncRespond) -> None:
        asked.append(command["text"])
        await ack(text="On it.")

    async def shortcut(ack: AsyncAck, shortcut: dict[str, Any], client: AsyncWebClient) -> None:
        asked.append(shortcut.get("message", {}).get("text", "from anywhere"))
        await client.views_open(trigger_id=shortcut["trigger_id"], view=FORM)
        await ack()

    app.shortcut("new")(shortcut)
    app.shortcut("turn")(shortcut)
    async with running(app, workspace):
        await workspace.person(BO).say(GENERAL, "we need a venue")
        page = await visits.open(workspace.url, AYA, GENERAL)
        field, form = page.get_by_role("textbox", name="Message"), page.get_by_role("dialog", name="A demand")
        await field.press_sequentially("/to")
        await seen(page.get_by_role("option", name="/towow")).to_be_visible()
        await page.keyboard.press("Enter")
        await seen(field).to_have_value("/towow ")
        await page.keyboard.type("a venue")
        await page.keyboard.press("Enter")
        await seen(message(page, "On it.")).to_contain_text("Only visible to you")

        await write(page, "/nothing here")
        await seen(page.get_by_role("alert")).to_contain_text("There is no command /nothing; there is: /towow.")
        await seen(field).to_have_value("/nothing here")

        await page.get_by_role("button", name="Shortcuts and commands").click()
        await page.get_by_role("menuitem", name="New demand").press("Enter")
        await seen(form).to_be_visible()
        await page.keyboard.press("Escape")
        await seen(form).to_be_hidden()

        await message(page, "we need a venue").get_by_role("button", name="More actions").press("Enter")
        await page.get_by_role("menuitem", name="Turn into a demand").click()
        await seen(form).to_be_visible()
        await form.get_by_role("button", name="Close").click()
        await seen(form).to_be_hidden()
    assert asked == ["a venue", "from anywhere", "we need a venue"]


async def test_forms_stand_above_each_other_and_go_one_by_one(
    workspace: LocalWorkspace, app: AsyncApp, visits: Visits
) -> None:
    above = {**FORM, "title": plain("Above"), "callback_id": "above", "blocks": FORM["blocks"][:1]}

    @app.command("/towow")
    async def towow(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view={**FORM, "blocks": FORM["blocks"][:3]})
        await ack()

    @app.view("form")
    async def sent(ack: AsyncAck) -> None:
        await ack(response_action="push", view=above)

    async with running(app, workspace):
        page = await visits.open(workspace.url, AYA, GENERAL)
        await write(page, "/towow")
        below = page.get_by_role("dialog", name="A demand")
        await below.get_by_role("textbox", name="What").fill("A venue")
        await page.keyboard.press("Enter")
        await seen(page.get_by_role("dialog", name="Above")).to_contain_text("Say what you need.")
        await page.get_by_role("button", name="Back").click()
        await seen(below.get_by_role("textbox", name="What")).to_have_value("A venue")
        await page.keyboard.press("Escape")
        await seen(page.get_by_role("dialog")).to_be_hidden()


async def test_the_app_has_a_home_and_a_conversation_with_each_person(
    workspace: LocalWorkspace, app: AsyncApp, visits: Visits
) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], client: AsyncWebClient) -> None:
        if event["tab"] == "home":
            await publish(event["user"], "0 demands", client)

    @app.action("open")
    async def pressed(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await publish(body["user"]["id"], "1 demand", client)
        await ack()

    @app.event("message")
    async def said(event: dict[str, Any], client: AsyncWebClient) -> None:
        if "bot_id" not in event:
            await client.chat_postMessage(channel=event["channel"], text=f"You said: {event['text']}")

    async def publish(user: str, text: str, client: AsyncWebClient) -> None:
        blocks = [{"type": "header", "text": plain(text)}, {"type": "actions", "elements": CARD[-1]["elements"][:1]}]
        await client.views_publish(user_id=user, view={"type": "home", "blocks": blocks})

    async with running(app, workspace):
        page = await visits.open(workspace.url, AYA, GENERAL)
        await page.get_by_role("navigation").get_by_role("button", name="ToWow").click()
        await seen(page.get_by_role("tab", name="Home", selected=True)).to_be_visible()
        await seen(page.get_by_role("heading", name="0 demands")).to_be_visible()
        await page.get_by_role("button", name="Answer").click()
        await seen(page.get_by_role("heading", name="1 demand")).to_be_visible()
        await page.get_by_role("tab", name="Messages").click()
        await write(page, "hello")
        await seen(message(page, "You said: hello")).to_be_visible()
        await page.reload()
        await seen(page.get_by_role("tab", name="Messages", selected=True)).to_be_visible()
