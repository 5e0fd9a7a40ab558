"""How a post is drawn for a workspace: with Slack's newer blocks, or without where the workspace lacks them."""

import logging
from collections.abc import Sequence
from typing import Any, Final

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from bot.posts.failures import BAD_BLOCKS, Refused
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import without_pages
from engine.kernel import Tenant

log = logging.getLogger(__name__)

UNKNOWN_BLOCKS: Final = frozenset({BAD_BLOCKS, "invalid_blocks_format"})
"""What a workspace says to blocks that it does not know."""


UNMODELLED: Final = frozenset({"data_table"})
"""Blocks that slack_sdk 3.48 has no model of, and so cannot check."""


class Drawings:
    """Knows which workspaces lack the newer blocks, until the process ends; after the next start all are tried.

    Args:
        has_pages: whether stories have pages that a button may open.
    """

    def __init__(self, *, has_pages: bool = True) -> None:
        self._lacking: set[Tenant] = set()
        self._has_pages = has_pages

    def of(self, tenant: Tenant, post: Post) -> list[dict[str, Any]]:
        """Return the blocks of a post if slack_sdk's models accept them, as Slack would.

        They are returned as they were drawn: the client would check models a second time. Blocks that change with every
        update get an id of the content's, since Slack wants another one each time.

        Raises:
            Refused
        """
        blocks = [*(post.plain_blocks if tenant in self._lacking else post.blocks)]
        if not self._has_pages:
            blocks = without_pages(blocks)
        try:
            for block in Block.parse_all([each for each in blocks if each["type"] not in UNMODELLED]):
                block.validate_json()
        except SlackObjectFormationError as error:
            raise Refused(BAD_BLOCKS) from error
        return _with_ids(blocks, post.digest)

    def is_refused(self, tenant: Tenant, post: Post, refused: Refused) -> bool:
        """Return whether the newer blocks may be why a post was refused; from then on they are done without."""
        if not post.has_newer or refused.why not in UNKNOWN_BLOCKS or tenant in self._lacking:
            return False
        log.info("%s takes none of Slack's newer blocks: %s", tenant.team_id, refused.why)
        self._lacking.add(tenant)
        return True


def _with_ids(blocks: Sequence[dict[str, Any]], digest: str) -> list[dict[str, Any]]:
    changing = ("plan", "task_card")
    return [
        block | {"block_id": f"{digest}-{number}"} if block["type"] in changing else block
        for number, block in enumerate(blocks)
    ]
