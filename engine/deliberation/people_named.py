"""Finds whom facts name as somebody who does something, can something or cannot."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from engine.deliberation.words import names
from engine.kernel import HandedPerson

MOST: Final = 12
"""People."""
_VERBS: Final = (
    r"(?P<verb>takes? care of|is responsible for|is in charge of|looks? after|does|handles?|writes?|designs?|leads?"
    r"|builds?|prepares?|books?|organi[sz]es?|runs?|makes?|creates?|draws?|cooks?|brings?|owns?|manages?|coordinates?"
    r"|edits?|translates?|films?|buys?|orders?|tests?|prints?|hosts?|moderates?)"
)
ENGLISH_DOES: Final = re.compile(rf"^\s(?:will\s|is going to\s|can\s)?{_VERBS}\s(?P<what>.{{3,80}})$", re.IGNORECASE)
"""What somebody does, behind their name."""
_ENGLISH: Final = re.compile(
    r"(?:^|[.;,!?]\s|\b(?:and|but|so|while)\s)(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s(?:(?:only|also|still)\s)?"
    rf"(?:(?:will\s|is going to\s|can\s)?{_VERBS}\s"
    r"|(?:can|could|can't|cannot|won't|isn't|has to|must|may|knows how|speaks|works|prefers)\b"
    r"|is\s(?:away|off|out|ill|sick|busy|only|not|on (?:\w+ )?(?:leave|holiday|vacation)|available|unavailable"
    r"|travell?ing"
    r"|allergic|good|free|back)\b"
    r"|has\s(?:only\s|about\s|just\s)?(?:\d+|two|three|four|five|six|ten|an?)\s(?:hours?|days?)\b)"
)
_NOBODY: Final = frozenset(
    """
    The We It This That They You He She There Each Every All Nobody Everybody Everyone Someone Somebody Our My Your No
    Some Any Two Three Both Only Not People Guests Users Staff Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    January February March April May June July August September October November December Christmas Easter Which Who
    What Budget Venue Lunch Dinner Work Food Music Parking Please Everything Nothing One These Those Its Their His Her
    If When Then Since Because Also Tickets Rain Smoking Children Dogs Delivery Printing Catering Shipping Customers
    """.split()  # noqa: SIM905 - as one reads them
)
_ENDING_IN_S: Final = frozenset(
    """
    James Thomas Chris Carlos Lucas Hans Jonas Agnes Luis Boris Denis Dennis Marcus Nicolas Nicholas Klaus Mathias
    Matthias Tobias Elias Andreas Alexis Iris Doris Francis Louis Ross Jess Tess Bess Anders Niels Lars Mads Jens
    Charles Curtis Silas Linus Magnus Rasmus Angus
    """.split()  # noqa: SIM905 - as one reads them
)
"""Names that are not the plural of a thing."""
_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶"
    "余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎易贺赖龚"
)
_ACTS_ZH: Final = (
    r"(?=负责|只能|不能|无法|只有|没空|没时间|请假|出差|休假|来写|来做|来设计|会写|会做|写|设计|翻译|主持|拍"
    r"|周[一二三四五六日末]|星期|每周|每天|不会|可以|愿意|\d)"
)
_CHINESE: Final = re.compile(
    r"(?:^|[，,。；;、！？和由请让]|交给)(?P<name>[小老阿][\u4e00-\u9fff]|"
    rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?){_ACTS_ZH}"
)
_BY_ZH: Final = re.compile(
    rf"(?:由|交给)(?P<name>[小老阿][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=负责|来|做|写|设计"
    rf"|处理|完成|$)"
)
_NOBODY_ZH: Final = re.compile(
    r"^(?:小(?:组|时|程|孩|朋|学|型|队|区|票|吃|范|区|样)|老(?:师|板|人|客|家|年|款)|阿(?:里|姨)|方案|金额|高管"
    r"|高层|任务|任何|何时|程序|夏天|夏季|许可|范围|于是|余额"
    r"|马上|周末|周[一二三四五六日]|钱款|江边|石材|易拉|龙头|曾经|毛坯|史上|余下|陆续|高铁|金融|马路|田径|康复"
    r"|方便|方向)"
)


def people_in(texts: Iterable[str], without: Collection[str] = ()) -> tuple[HandedPerson, ...]:
    """Whom sentences name, in their order.

    Args:
        without: what only looks like a name: the options of a brief.
    """
    found: dict[str, HandedPerson] = {}
    for text in texts:
        for name in _named(text):
            if name and not any(names(each, name) for each in without) and len(found) < MOST:
                found.setdefault(name, HandedPerson(person_id=f"person-{len(found) + 1}", name=name))
    return tuple(found.values())


def _named(text: str) -> Iterator[str]:
    for match in _ENGLISH.finditer(text):
        name = match["name"]
        is_many = name.endswith("s") and name not in _ENDING_IN_S
        if name.split()[0] not in _NOBODY and not is_many and not name.endswith(("ing", "tion", "ment")):
            yield name
    for form in (_CHINESE, _BY_ZH):
        for match in form.finditer(text):
            if not _NOBODY_ZH.match(match["name"]):
                yield match["name"]
