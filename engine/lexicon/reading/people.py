"""Finds how many people something is for; helpers and tools that are needed are no such people."""

import re
from collections.abc import Sequence

from engine.facts.circumstances import People
from engine.lexicon.forms import Form, matches
from engine.lexicon.reading.asked import Found, in_usual_forms
from engine.lexicon.reading.numbers import CHINESE, ENGLISH, number

MOST = 10_000_000

_NOUN = (
    r"(?:people|persons?|attendees?|guests?|participants?|visitors?|folks|students?|pax|ppl|colleagues?|co-?workers?|employees?"
    r"|staff|team ?mates?|(?:team |staff |club |community )?members?|kids|children|adults|friends|delegates?|parents?"
    r"|seats|heads|listeners|viewers|invitees|alumni|pupils|learners|trainees|neighbou?rs|customers|clients|executives"
    r"|managers|residents|fans|developers attending|engineers attending|attending|coming)"
)
_KIND = (
    r"(?:(?:\s|-)(?:or so|or more|young|senior|junior|local|external|internal|new|invited|remote|of our|of my|of the"
    r"|paying|expected|more|other|international|of us|wedding|conference|office|school|registered|potential)){0,2}"
)
_ABOUT = (
    r"(?:about|around|some|roughly|approximately|approx\.?|~|circa|nearly|almost|maybe|probably|exactly|only|just)\s?"
)
_NO_MORE = (
    r"at most|no more than|not more than|up to|max(?:imum)?(?:\sof)?|a maximum of|fewer than|less than|under|limited to"
    r"|capped at|not exceed(?:ing)?|within"
)
_NO_LESS = r"at least|more than|over|min(?:imum)?(?:\sof)?|a minimum of|no fewer than|no less than|not fewer than"
_GROUP = (
    r"team|group|party|class|crowd|audience|crew|table|gathering|headcount|attendance|capacity|company|family|cohort"
)
_HELPERS = (
    r"(?!\s(?:to (?!join|attend|come|eat|be|sit|meet|celebrate|an?\b|the\b|our\b|its?\b|their\b)[a-z]+"
    r"|who (?:can|could|know|speak|will help)|short|per|a day|from each))"
)
_TO = r"\s?(?:-|–|—|~|to|and|or)\s?"

_AUDIENCES = (
    r"(?:engineers|developers|designers|teachers|founders|women|men|girls|boys|researchers|scientists|doctors|nurses|readers"
    r"|players|families|leaders|interns|graduates|newcomers|volunteers|partners|investors|journalists|users)"
)
_ENGLISH = (
    # "between 40 and 60 guests", "20 to 30 people"
    rf"(?:\bbetween\s)?(?P<low>{ENGLISH}){_TO}(?P<high>{ENGLISH})(?:\s|-)?{_KIND}(?:\s|-){_NOUN}\b{_HELPERS}",
    rf"\b(?P<most>{_NO_MORE})\s(?P<n>{ENGLISH}){_KIND}(?:\s|-){_NOUN}\b",
    rf"\b(?P<least>{_NO_LESS})\s(?P<n>{ENGLISH}){_KIND}(?:\s|-){_NOUN}\b",
    rf"(?P<n>{ENGLISH})\s?(?P<least>\+){_KIND}\s?{_NOUN}\b",
    rf"(?P<n>{ENGLISH})\s(?P<least>or more)\s{_NOUN}\b",
    rf"(?P<n>{ENGLISH})(?:\s|-){_NOUN}\s(?P<most>max(?:imum)?|at most|tops)\b",
    rf"(?P<n>{ENGLISH}){_KIND}(?:\s|-){_NOUN}\b(?!\s(?:team|squad|startup|company|agency|studio|crew))(?!['’-]){_HELPERS}",
    rf"\b(?:for|our|of)\s(?:(?:our|a|my|the|this)\s)?(?P<n>{ENGLISH})-(?:person|people|strong|member)\b",
    rf"(?P<n>{ENGLISH})-(?:person|people)\b(?!\s(?:team|squad|startup|company|agency|studio|crew))",
    rf"\b(?:{_GROUP})(?:\sof|:)?\s(?:{_ABOUT})?(?P<low>{ENGLISH}){_TO}(?P<high>{ENGLISH})\b",
    rf"\b(?:{_GROUP})(?:\sof|:)\s(?:{_ABOUT})?(?:(?P<most>{_NO_MORE})\s)?(?P<n>{ENGLISH})\b(?!\s?(?:[%€$£¥]|k\b|eur|usd))",
    rf"(?P<n>{ENGLISH})\sof\sus\b",
    rf"\b(?:we are|we're|there are|there will be|we will be|we'll be)\s(?:{_ABOUT})?"
    rf"(?P<n>{ENGLISH})\b(?=\s?(?:[.,;!?)]|$|in total|altogether))",
    rf"(?<!look )(?<!looking )(?<!search )(?<!searching )(?<!need )(?<!ask )(?<!budget )\bfor\s(?:{_ABOUT})?"
    rf"(?P<n>{ENGLISH})\s(?:[a-z-]{{2,14}}\s)?{_AUDIENCES}\b",
    # "dinner for eight", but not "for two hours" and not "for 2027"
    rf"\bfor\s(?:{_ABOUT})?(?P<low>\d{{1,4}}){_TO}(?P<high>\d{{1,4}})(?=\s?(?:[.,;!?)]|$)|\s(?:in|at|on|next|this|tomorrow|with|who)\b)",
    rf"\bfor\s(?:{_ABOUT})?(?:(?P<most>{_NO_MORE})\s)?(?P<n>(?!(?:19|20)\d\d\b)(?!one\b)(?!1\b){ENGLISH})"
    r"(?=\s?(?:[.,;!?)]|$)|\s(?:in|at|on|next|this|tomorrow|with|who)\b)(?![.,]\d)",
)
_MEASURE = r"\s?(?:个|名|位)?\s?"
_WHO = (
    r"(?:人(?!民|份|类|工|生|均|像|脸|力|事|才|员|物|机|设|文|气|格|次|头费)|宾客|来宾|客人|同事|员工|学生|同学|朋友|观众|听众|参会者|与会者|参会"
    r"|小朋友|孩子|小孩|家长|参与者|小伙伴|伙伴|成员|校友|会员|学员|读者|亲友|贵宾|住户|居民|老人|客户(?!经理|端|成功)|代表)"
)
_TEAM = (
    r"(?!\s*(?:的?(?:团队|小组|小队|工程师|开发|设计|负责|帮忙|帮|来做|来(?:帮|搭|搬|拍|写)|一起做|志愿|标注|翻译|兼职|全职"
    r")))"
)
"""Those who help, and not those for whom it is."""
_OURS = r"(?:我们|咱们|我司|全公司|全组|全班|部门|团队)(?:是|有|一共|总共|共|这个|一个|的|大概|大约|约|差不多|\s){0,3}"
_CA = r"(?:约|大约|大概|差不多|近|将近|估计|预计|可能|总共|一共|共)?\s?"
_SMALL = "一二三四五六七八九"

_CHINESE = (
    rf"(?<![几数\d.])(?P<low>{CHINESE})\s?(?:人|个人|个|位|名)?\s?(?:-|~|–|—|到|至)\s?(?P<high>{CHINESE}){_MEASURE}{_WHO}{_TEAM}",
    rf"(?P<most>不超过|不多于|最多|至多|控制在|上限|限)\s?(?P<n>{CHINESE}){_MEASURE}{_WHO}",
    rf"(?P<least>不少于|至少|最少|超过|起码|不低于)\s?(?P<n>{CHINESE}){_MEASURE}{_WHO}",
    rf"(?<![几数第每\d.])(?P<n>{CHINESE}){_MEASURE}{_WHO}\s?(?P<most>以内|之内|以下|封顶|内(?!部|容))",
    rf"(?<![几数第每\d.])(?P<n>{CHINESE})\s?(?P<least>\+|多|余|以上)\s?的?{_MEASURE}{_WHO}{_TEAM}",
    rf"(?<![几数第每\d.])(?P<n>{CHINESE}){_MEASURE}{_WHO}\s?(?P<least>以上|起)",
    rf"(?P<few>十几|[二三四五六七八九]十几|[{_SMALL}]{{2}}十|[{_SMALL}]{{2}}百|[{_SMALL}]{{2}}){_MEASURE}{_WHO}{_TEAM}",
    rf"(?:给|为|面向|针对)\s?(?P<n>{CHINESE})\s?(?:名|位)(?=[\u4e00-\u9fff])",
    rf"(?<![几数好第每\d.])(?P<n>{CHINESE})\s?(?:左右|来|上下)?\s?{_MEASURE}{_WHO}{_TEAM}",
    rf"{_OURS}(?P<n>{CHINESE}){_MEASURE}{_WHO}",
    r"(?:人数|规模|容纳|参会人数|人头)\D{0,4}(?P<low>\d{1,6})\s?(?:-|~|到|至)\s?(?P<high>\d{1,6})",
    rf"(?:人数|规模|参会人数)(?:是|为|大概|大约|约|在|[:\s]){{0,3}}(?P<n>{CHINESE})",
)
_FORMS = tuple(Form(form, re.IGNORECASE | re.ASCII) for form in (*_ENGLISH, *_CHINESE))
_NAMED = re.compile(
    r"(?:\b(?:version|room|floor|no\.?|number|track|chapter|hall|gate|v)\s?|[#№第号路街])$", re.IGNORECASE
)
"""What a number names instead of counting."""
_HIRED = re.compile(
    r"(?:\b(?:hire|hiring|recruit|recruiting|employ)\s(?:\w+\s){0,1}|(?:招|招聘|招募|雇|找|需要|缺|还差|再加)\s?)$",
    re.IGNORECASE,
)


_WANTED = re.compile(
    r"(?:^|\b(?:need|needs|needed|want|wanted|seek|seeking|looking for|require)\s(?:\w+\s)?)$", re.IGNORECASE
)
_FOR_SOMETHING = re.compile(
    r"\s(?:for an?|on|in) (?!wedding|party|birthday|dinner|lunch|trip|tour|picnic)[a-z]", re.IGNORECASE
)
"""Behind people who are wanted: what they are wanted for."""
_ASKING = re.compile(
    r"\b(?:we are|we're|i'm in|we have|our team is)\s(?:a|an|only|just|currently|now|\s)*$"
    r"|(?:团队|小组|我们组|组里|部门|公司)(?:目前|现在|里|一共|总共|只)*(?:有|是)?$",
    re.IGNORECASE,
)
"""In front of how many those are who ask."""
_BEFORE = Form(
    r"去年|上次|往年|以前|之前那|曾经|\blast (?:year|time|month)\b|\bpreviously\b|\bin the past\b", re.IGNORECASE
)
_NOW = re.compile(r"今年|这次|这回|明年|\bthis (?:year|time|month)\b|\bnow\b|\bnext\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?;。！？；\n]")


def main_people(text: str, found: Sequence[Found[People]]) -> Found[People] | None:
    """Which number of people a text is about: the first that is not of those who ask, nor of another time, else the
    first.
    """
    plain = in_usual_forms(text)

    def is_aside(each: Found[People]) -> bool:
        clause = _CLAUSE.split(plain[: each.start])[-1]
        return _ASKING.search(clause) is not None or _is_about_before(clause)

    return next((each for each in found if not is_aside(each)), found[0] if found else None)


def people_in(text: str) -> list[Found[People]]:
    """Every number of people that a text names, without overlaps, in its order.

    A number of which people say "about" is taken as it is; "a dozen people" are 12 and 十几个人 11 to 19.
    """
    plain = in_usual_forms(text)
    found: list[Found[People]] = []
    for match in matches(plain, _FORMS):
        if any(each.start < match.end() and match.start() < each.end for each in found):
            continue
        people = _people(match)
        if people is not None:
            found.append(Found(people, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


def _people(match: re.Match[str]) -> People | None:
    groups = match.groupdict()
    before = match.string[max(0, match.start() - 12) : match.start()]
    if (match[0][0].isdigit() and _NAMED.search(before)) or (
        _HIRED.search(before) and "人" in match[0] and "招待" not in before
    ):
        return None
    if _WANTED.search(before) and _FOR_SOMETHING.match(match.string, match.end()):
        return None  # who is looked for, and not those for whom it is
    if groups.get("few"):
        return _few(groups["few"])
    if groups.get("low"):
        low, high = number(groups["low"]), number(groups["high"] or "")
        if low is None or high is None or not 0 < low <= high <= MOST:
            return None
        return People(at_least=low, at_most=high)
    count = number(groups["n"] or "")
    if count is None or not 1 < count <= MOST:
        return None  # "one person" is rarely a size
    if groups.get("most"):
        return People(at_most=count - (groups["most"].lower() in ("fewer than", "less than", "under")))
    if groups.get("least"):
        return People(at_least=count)
    return People(at_least=count, at_most=count)


def _few(said: str) -> People:
    """ "十几", "三四十"."""
    if said.endswith("几"):
        tens = number(said[:-1]) or 10
        return People(at_least=tens + 1, at_most=tens + 9)
    unit = {"十": 10, "百": 100}.get(said[2:], 1)
    low, high = sorted((_SMALL.index(said[0]) + 1, _SMALL.index(said[1]) + 1))
    return People(at_least=low * unit, at_most=high * unit)


def _is_about_before(clause: str) -> bool:
    """Whether a line of it speaks of former times, and of no other afterwards."""
    for line in clause.split("\n"):
        ends = [found.end() for found in _BEFORE.finditer(line)]
        if ends and _NOW.search(line, ends[-1]) is None:
            return True
    return False
