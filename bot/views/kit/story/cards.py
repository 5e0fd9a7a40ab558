"""Cards of the thread, as the page shows them: with everything in them, and without what belongs to Slack alone."""

from bot.views.kit.blocks import Block
from bot.views.kit.fit import draw_whole
from bot.views.kit.post import Post


def whole_card(post: Post) -> list[Block]:
    """Return the blocks of a post below its title."""
    drawn = draw_whole(post.card) if post.card else [*post.plain_blocks]
    return [each for number, each in enumerate(drawn) if number or each["type"] != "header"]
