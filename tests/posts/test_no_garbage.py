"""What has been shown leaves nothing behind that must be looked for: looks are seldom, and people wait for them."""

import gc

from bot.posts.conversation_reconciler import ConversationReconciler
from bot.posts.stream_reconciler import StreamReconciler
from tests.posts.driver import LINKED, Driver
from tests.views.stories import voting


async def test_whoever_kept_the_posts_of_a_stream_goes_with_its_last_look(driver: Driver) -> None:
    gc.collect()
    gc.disable()
    try:
        await driver.show(voting(*LINKED, linked=LINKED, place=await driver.mentioned()))
        left = [type(each) for each in gc.get_objects() if isinstance(each, StreamReconciler | ConversationReconciler)]
    finally:
        gc.enable()

    assert left == []
