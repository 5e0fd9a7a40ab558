"""The words that tell what a clause of a condition is: a demand, a refusal, a premise, a permission, or more than that.

All patterns are for texts in lower case.
"""

import re
from typing import Final

from engine.lexicon.forms import Form

QUESTION: Final = Form(r"[?？]\s*$|吗\s*$")
INSTEAD: Final = Form(r"(?:instead of|rather than|而不是|而非)[^,，;；。]{0,80}")
CLAUSE_END: Final = re.compile(r"[,，;；。!！\n、]|\.(?!\d)|\bbut\b|但是?|不过|并且|而且|同时")
ANY_BUT: Final = Form(r"\b(?:any|every|all|whichever)(?: (?:day|days|time|times|week|place))?,? but (?!not\b)")
BOUND: Final = re.compile(
    r"\b(?:only|just|solely|must|has to|have to|needs? to|outside)\b|以外|之外|离开|只|仅|必须|一定要|要在"
)
"""Where somebody says of themselves where they are, this makes it a condition."""
OUTSIDE: Final = r"\b(?:outside(?: of)?|out of|away from|leave|leaving) |离开|出(?!席|差|发|来)"
OUTSIDE_AFTER: Final = r"以外|之外|外地"
FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i'll|i'd|my|me)\b|我")
AND: Final = re.compile(r"\band\b|&|以及|和|并")
OR: Final = re.compile(r"\bor\b|或者?|要么")
PREMISE: Final = re.compile(
    r"^\s*(?:if|when|whenever|unless|in case|should)\b(?!.*\b(?:i can|i am in|i'm in|i take part|i join)\b)"
    r"|(?<!only )(?<!yes )\b(?:unless|in case)\b|^\s*(?:如果|要是|若|倘若|万一)|除非|的话$"
)
IF: Final = re.compile(r"\s{0,100}(?:if|when|如果|要是|若)")
PERMISSION: Final = re.compile(
    r"\b(?:also|too|as well|either way|fine|okay|ok|possible|flexible|any ?time|happy|no problem|don'?t mind)\b"
    r"|也可以?|也行|也能|没问题|不介意|随时|都方便"
)
REFUSAL: Final = re.compile(
    r"\b(?:not|no|never|none|cannot|avoid|without|busy|unavailable|nor|away|on (?:holiday|vacation|leave))\b|n't\b"
    r"|休假|度假|出差|不(?![少多晚早超])|别|没|勿|避开|避免|禁止|拒绝"
)
REFUSAL_AFTER: Final = re.compile(
    r"\b(?:not|never|no|cannot|unavailable|impossible|off|out)\b|n't\b|不|别|没|勿|除外|请假|休息|休假|度假|出差"
)
EXCEPT: Final = re.compile(r"\b(?:except|apart from|other than|but not)\b|除了?")

DATED: Final = Form(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day|week|month|year|quarter|tomorrow|tonight|next|christmas|easter"
    r"|eve\b|\bq[1-4]\b|\d\s?[-/.]\s?\d|[年月日号周天节季]|星期|元旦|国庆|五一|中秋|端午|清明"
)
"""Whether a text may name a date at all; reading one takes a while."""
WORD: Final = re.compile(r"[a-z']+|\d+|[^\W\d_a-z]")
FILLER_EN: Final = frozenset(
    """
    i i'm i'll i'd we we're we'll me my us our it its it's this that there they the a an is are am be been being
    was can can't could could've may might must should shall will won't would has have having need needs needed
    require requires required want wants like do does don't doesn't only just solely strictly exactly please and
    or so to at on in of for from by with as than then which where when if yes ok okay provided providing long
    condition conditions given assuming available availability free time times timing slot slots scheduled
    schedule scheduling take takes taking place happen happens held hold session sessions meeting meetings event
    events workshop workshops meetup meetups gathering party activity activities plan plans date dates day days
    hour hours talk talks speak speaking speech present presenting attend attending join joining participate
    participating participation part come coming work works working start starts starting begin begins beginning
    end ends ending run runs running everything anything all total overall size number headcount group attendance
    capacity audience attendees participants guests people limited limit limits kept keep keeps stay stays set
    move moved moving shift shifted change changed make made put during within between not no never none avoid
    except unavailable busy cannot n't off out both either onwards onward later earlier latest per each week
    weekly maximum max minimum min about around local appearance contribution role seat
    away holiday vacation leave travelling traveling travel travels go goes get anywhere else located city can't won't
    """.split()  # noqa: SIM905 - as one reads them
)
"""Words that say no more than that somebody takes part, or that it takes place."""
FILLER_ZH: Final = re.compile(
    "我们|我|本人|只有|只能|只|仅|才能|才|可以|能够?|有空|没空|有时间|没时间|时间|参与|参加|出席|到场|来|安排|需要|必须|希望|请"
    "|活动|会议|聚会|分享|演讲|工作坊|办|整场|这次|开会|举行|举办|进行|开始|结束|在|是|的话|的|了|都|得|要|把|将|行|方便|人数|规模|总"
    "|日期|场次|地点|条件|前提|最好|控制|改到|改为|改成|换到|挪到|调到|调整|为|到|于|里|内|期间|段|不要|不能|不行|不|别|没|勿|避开|避免"
    "|去|城市|地方|市区|市内|市|除了|除|外|休假|度假|出差|请假|其他|或者?|和|以及|并|每|周|就|会|有|工作|投入|左右|大概|大约|一定|如果|只要|当地"
)
