"""Finds places by their names in both languages."""

import re
from functools import cache

from engine.lexicon.language import Language

ONLINE = "online"

_NAMES: dict[str, tuple[str, str, str]] = {
    "beijing": ("北京", "Beijing", "北京,beijing,望京,中关村,三里屯,五道口,海淀,朝阳区,国贸,亦庄"),
    "shanghai": ("上海", "Shanghai", "上海,shanghai,徐汇,静安,浦东,张江,杨浦"),
    "shenzhen": ("深圳", "Shenzhen", "深圳,shenzhen,南山区,福田,华强北"),
    "guangzhou": ("广州", "Guangzhou", "广州,guangzhou"),
    "hangzhou": ("杭州", "Hangzhou", "杭州,hangzhou"),
    "chengdu": ("成都", "Chengdu", "成都,chengdu"),
    "nanjing": ("南京", "Nanjing", "南京,nanjing"),
    "wuhan": ("武汉", "Wuhan", "武汉,wuhan"),
    "xian": ("西安", "Xi'an", "西安,xi'an,xian"),
    "tianjin": ("天津", "Tianjin", "天津,tianjin"),
    "suzhou": ("苏州", "Suzhou", "苏州,suzhou"),
    "hongkong": ("香港", "Hong Kong", "香港,hong kong"),
    "taipei": ("台北", "Taipei", "台北,taipei"),
    "singapore": ("新加坡", "Singapore", "新加坡,singapore"),
    "tokyo": ("东京", "Tokyo", "东京,tokyo"),
    "london": ("伦敦", "London", "伦敦,london,shoreditch"),
    "berlin": ("柏林", "Berlin", "柏林,berlin,kreuzberg"),
    "paris": ("巴黎", "Paris", "巴黎,paris"),
    "amsterdam": ("阿姆斯特丹", "Amsterdam", "阿姆斯特丹,amsterdam"),
    "lisbon": ("里斯本", "Lisbon", "里斯本,lisbon"),
    "stockholm": ("斯德哥尔摩", "Stockholm", "斯德哥尔摩,stockholm"),
    "sanfrancisco": ("旧金山", "San Francisco", "旧金山,san francisco,bay area,湾区"),
    "newyork": ("纽约", "New York", "纽约,new york,nyc,brooklyn"),
    "seattle": ("西雅图", "Seattle", "西雅图,seattle"),
    ONLINE: ("线上", "online", "线上,网上,腾讯会议,在线活动,在线举办,online,virtual,over zoom,on zoom,by video call"),
}


@cache
def _pattern() -> re.Pattern[str]:
    by_length = sorted(_aliases(), key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(each)}\b" if each.isascii() else each for each in by_length))


@cache
def _aliases() -> dict[str, str]:
    return {alias: place for place, (_, _, aliases) in _NAMES.items() for alias in aliases.split(",")}


def place_in(text: str) -> str | None:
    """The key of the first place a text names."""
    match = _pattern().search(text.lower())
    return _aliases()[match[0]] if match else None


def place_name(place: str, language: Language) -> str:
    return _NAMES[place][0 if language == "zh" else 1]


def same_place(one: str, other: str) -> bool:
    """Whether two texts name the same place; unknown places are compared as they are written."""
    return (place_in(one) or one.strip().lower()) == (place_in(other) or other.strip().lower())
