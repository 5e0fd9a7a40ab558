"""Who offers help, and who asks for it, asks about it, or speaks of somebody else's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.helping import is_offer_of_help

OFFERS = (
    "I can help with the photos",
    "I can help",
    "i can help.",
    "Hi, I can help with catering",
    "Yes, I can also help with the sound on Friday",
    "I could help out with the registration desk",
    "I'll help with the chairs",
    "I will gladly help",
    "I'd be happy to help with the design",
    "I’d love to help!",
    "I would like to help with the slides",
    "I'm happy to help with the venue",
    "Happy to help with translations",
    "I am available to help on the 12th",
    "Glad to help. I have done this before",
    "Let me help with the invitations",
    "Count me in",
    "Sign me up for the clean-up",
    "I'm in!",
    "I volunteer to take notes",
    "I want to help",
    "I can bring a projector",
    "We can host it in our office for 40 people",
    "I could take the photos",
    "I can provide 30 chairs",
    "I can moderate the panel",
    "Maybe I can help with the budget",
    "If you need a photographer, I can help",
    "On Friday, I can drive two people",
    "I can offer a room for 60 people in Berlin. It has a beamer",
    "I have a camera you can borrow",
    "Great idea! I can cover the music",
    "I can do the lights",
    "I can help if it is after 6 pm",
    "我可以帮忙",
    "我可以帮忙拍照",
    "我能帮忙设计海报",
    "我来帮忙吧",
    "我愿意帮忙",
    "我也可以帮忙布置场地",
    "你好，我可以提供一个50人的场地",
    "我可以负责摄影",
    "我来负责签到",
    "算我一个",
    "加我一个！",
    "我报名",
    "让我来",
    "交给我吧",
    "我周五可以帮忙搬椅子",
    "我很乐意帮忙",
    "如果需要摄影，我可以帮忙",
    "我们可以提供音响",
    "我有一台投影仪可以借给大家",
    "我可以当主持人",
    "我想参与，我会做饭",
)

OTHERS = (
    "how does it stand?",
    "status",
    "who is missing?",
    "Can you help me?",
    "Can I help?",
    "I need help with the photos",
    "I can't help this time",
    "I cannot help, sorry",
    "Unfortunately I can only help next year",
    "I can help, but not on Friday, so no",
    "Bo can help with the photos",
    "Maybe Bo can help",
    "Who can help with the photos?",
    "I wish I could help",
    "I could help if I were in Berlin",
    "I could have helped",
    "I thought I could help",
    "Could you help us find a room?",
    "We also need a caterer for 50 people",
    "I want a bigger room",
    "I am in Berlin until Friday",
    "I can see the plan",
    "I can come, when is it?",
    "I can help myself",
    "Bo said “I can help with the photos”",
    "Please help",
    "help",
    "thanks for the help",
    "I would be happy if Bo helps",
    "They can help",
    "I can’t bring a projector",
    "I am not able to help",
    "I am happy with the plan",
    "Why can I not help?",
    "在吗？怎么样了",
    "进展如何",
    "谁可以帮忙？",
    "我需要帮忙",
    "我不能帮忙",
    "我帮不了",
    "我没法帮忙",
    "你可以帮我吗",
    "我可以帮忙吗？",
    "可以帮我找个场地吗",
    "我可以不参加吗",
    "小李可以帮忙",
    "我想知道进展",
    "我觉得小李能帮忙",
    "如果我在北京，我可以帮忙",
    "他说“我可以帮忙”",
    "我们还需要一个场地",
    "我想要一个更大的场地",
    "我可以来吗",
    "别算我一个",
    "我没空",
    "我要退出",
    "",
    "?",
)


@pytest.mark.parametrize("text", OFFERS)
def test_an_offer_of_help(text: str) -> None:
    assert is_offer_of_help(text)


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else(text: str) -> None:
    assert not is_offer_of_help(text)


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    is_offer_of_help(text)
