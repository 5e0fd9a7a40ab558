"""The blocks and elements there are: their properties, where they may stand, how long their parts may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Surface = Literal["message", "modal", "home"]

EVERYWHERE: tuple[Surface, ...] = ("message", "modal", "home")
MESSAGE: tuple[Surface, ...] = ("message",)


@dataclass(frozen=True)
class Part:
    """A block or an element. Text limits are in characters, item limits in items."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    surfaces: tuple[Surface, ...] = EVERYWHERE
    texts: dict[str, int] = field(default_factory=dict)  # text objects and strings -> longest
    plain: tuple[str, ...] = ()  # text objects that must be plain_text
    items: dict[str, int] = field(default_factory=dict)  # lists -> most items

    @property
    def properties(self) -> frozenset[str]:
        return frozenset((*self.required, *self.optional, "type"))


_KINDS = ("static", "external", "users", "conversations", "channels")
_MENUS = frozenset(f"{kind}_select" for kind in _KINDS)
_MULTI_MENUS = frozenset(f"multi_{kind}_select" for kind in _KINDS)
_PICKERS = frozenset(("radio_buttons", "checkboxes", "datepicker", "timepicker", "datetimepicker"))
_TYPED_IN = frozenset(
    f"{kind}_input" for kind in ("plain_text", "rich_text", "number", "email_text", "url_text", "file")
)

ACTIONS = _MENUS | _PICKERS | {"button", "overflow", "workflow_button", "rich_text_input"}
"""What stands in an actions block."""
BESIDE = ACTIONS | _MULTI_MENUS | {"image"}
"""What stands beside a section."""
INPUTS = _MENUS | _MULTI_MENUS | _PICKERS | _TYPED_IN
"""What stands in an input block."""

BLOCKS: dict[str, Part] = {
    "section": Part(optional=("text", "fields", "accessory", "expand"), texts={"text": 3000}, items={"fields": 10}),
    "header": Part(required=("text",), optional=("level",), texts={"text": 150}, plain=("text",)),
    "divider": Part(),
    "context": Part(required=("elements",), items={"elements": 10}),
    "actions": Part(required=("elements",), items={"elements": 25}),
    "input": Part(
        required=("label", "element"),
        optional=("hint", "optional", "dispatch_action"),
        texts={"label": 2000, "hint": 2000},
        plain=("label", "hint"),
    ),
    "image": Part(
        required=("alt_text",),
        optional=("image_url", "slack_file", "title"),
        texts={"alt_text": 2000, "image_url": 3000, "title": 2000},
        plain=("title",),
    ),
    "rich_text": Part(required=("elements",)),
    "video": Part(
        required=("alt_text", "title", "thumbnail_url", "video_url"),
        optional=("author_name", "description", "provider_icon_url", "provider_name", "title_url"),
        texts={"title": 200, "description": 200, "author_name": 50},
        plain=("title", "description"),
    ),
    "alert": Part(required=("text",), optional=("level",), surfaces=("modal",), texts={"text": 3000}),
    "markdown": Part(required=("text",), surfaces=MESSAGE, texts={"text": 12000}),
    "file": Part(required=("external_id", "source"), surfaces=MESSAGE),
    "table": Part(required=("rows",), optional=("column_settings",), surfaces=MESSAGE, items={"rows": 100}),
    "data_table": Part(
        required=("caption", "rows"), optional=("page_size", "row_header_column_index"), surfaces=MESSAGE
    ),
    "context_actions": Part(required=("elements",), surfaces=MESSAGE, items={"elements": 5}),
    "plan": Part(required=("title",), optional=("tasks",), surfaces=MESSAGE),
    "task_card": Part(
        required=("task_id", "title", "status"), optional=("details", "output", "sources"), surfaces=MESSAGE
    ),
    "container": Part(
        required=("child_blocks",),
        optional=(
            *("title", "subtitle", "icon", "rich_text_title"),
            *("width", "is_collapsible", "default_collapsed", "has_header_divider"),
        ),
        surfaces=MESSAGE,
        texts={"title": 150, "subtitle": 150},
        plain=("title",),
        items={"child_blocks": 10},
    ),
    "card": Part(
        optional=("title", "subtitle", "body", "icon", "hero_image", "actions"),
        surfaces=MESSAGE,
        texts={"title": 150, "subtitle": 150, "body": 200},
        items={"actions": 3},
    ),
    "carousel": Part(required=("elements",), surfaces=MESSAGE, items={"elements": 10}),
}

_SELECT = ("placeholder", "confirm", "focus_on_load")
_CHOICES = ("options", "option_groups")
_CHOICE_LIMITS = {"options": 100, "option_groups": 100}
_TYPED = ("placeholder", "focus_on_load", "dispatch_action_config", "initial_value")


def _menu(*own: str, **limits: int) -> Part:
    return Part(optional=(*_SELECT, *own), texts={"placeholder": 150}, plain=("placeholder",), items=limits)


def _field(*own: str, required: tuple[str, ...] = ()) -> Part:
    return Part(required, (*_TYPED, *own), texts={"placeholder": 150, "initial_value": 3000}, plain=("placeholder",))


_MANY = "max_selected_items"
_CONVERSATIONS = ("default_to_current_conversation", "filter")

FEEDBACK = Part(
    required=("text", "value"),
    optional=("accessibility_label",),
    texts={"text": 75, "value": 2000, "accessibility_label": 75},
    plain=("text",),
)
"""Each of the two buttons of `feedback_buttons`, which has no type of its own."""

ELEMENTS: dict[str, Part] = {
    "button": Part(
        required=("text",),
        optional=("value", "url", "style", "confirm", "accessibility_label"),
        texts={"text": 75, "value": 2000, "url": 3000, "accessibility_label": 75},
        plain=("text",),
    ),
    "workflow_button": Part(
        required=("text", "workflow"),
        optional=("style", "confirm", "accessibility_label"),
        texts={"text": 75},
        plain=("text",),
    ),
    "overflow": Part(required=("options",), optional=("confirm",), items={"options": 5}),
    "radio_buttons": Part(("options",), ("initial_option", "confirm", "focus_on_load"), items={"options": 10}),
    "checkboxes": Part(("options",), ("initial_options", "confirm", "focus_on_load"), items={"options": 10}),
    "static_select": _menu(*_CHOICES, "initial_option", **_CHOICE_LIMITS),
    "multi_static_select": _menu(*_CHOICES, "initial_options", _MANY, **_CHOICE_LIMITS),
    "external_select": _menu("initial_option", "min_query_length"),
    "multi_external_select": _menu("initial_options", "min_query_length", _MANY),
    "users_select": _menu("initial_user"),
    "multi_users_select": _menu("initial_users", _MANY),
    "conversations_select": _menu("initial_conversation", "response_url_enabled", *_CONVERSATIONS),
    "multi_conversations_select": _menu("initial_conversations", _MANY, *_CONVERSATIONS),
    "channels_select": _menu("initial_channel", "response_url_enabled"),
    "multi_channels_select": _menu("initial_channels", _MANY),
    "datepicker": _menu("initial_date"),
    "timepicker": _menu("initial_time", "timezone"),
    "datetimepicker": Part(optional=("initial_date_time", "confirm", "focus_on_load")),
    "plain_text_input": _field("multiline", "min_length", "max_length"),
    "rich_text_input": _field("min_lines", "max_lines"),
    "email_text_input": _field(),
    "url_text_input": _field(),
    "number_input": _field("min_value", "max_value", required=("is_decimal_allowed",)),
    "file_input": Part(optional=("filetypes", "max_files")),
    "feedback_buttons": Part(required=("positive_button", "negative_button")),
    "icon_button": Part(("icon", "text"), ("value", "confirm", "accessibility_label"), plain=("text",)),
    "image": Part(("alt_text",), ("image_url", "slack_file"), texts={"alt_text": 2000, "image_url": 3000}),
}
