"""The grammar of the stand-in: what it reads of time, size, money and wishes, and what it leaves alone."""

from datetime import date
from typing import Final

import pytest

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People
from engine.facts.data import Datum, Days, Deadline, Hours, Notice
from engine.offline.reading.asking import asks_for_judgement, counted, wanted_in
from engine.offline.reading.circumstances import told_in
from engine.offline.reading.days import days_in
from engine.offline.reading.hours import hours_in
from engine.offline.reading.numbers import effort_in, heads_in, money_in, work_in
from engine.offline.reading.script import tag_of
from engine.offline.reading.wishes import datum_in

FRIDAY: Final = Asked(date(2026, 11, 27), "Europe/Berlin")

DAYS: Final = {
    "on December 1": "2026-12-01",
    "Tuesday, December 1": "2026-12-01",
    "1 December 2026": "2026-12-01",
    "on 2026-12-10 at 19:00": "2026-12-10",
    "tomorrow at 3pm": "2026-11-28",
    "the day after tomorrow": "2026-11-29",
    "next Thursday": "2026-12-03",
    "this Saturday": "2026-11-28",
    "this weekend": "2026-11-28/2026-11-29",
    "next week": "2026-11-30/2026-12-06",
    "in January": "2027-01-01/2027-01-31",
    "December 5-7": "2026-12-05/2026-12-07",
    "on December 9 and 10, for two days": "2026-12-09/2026-12-10",
    "on December 9 and 10 others come": "2026-12-09",
    "from December 28 to January 3": "2026-12-28/2027-01-03",
    "the weekend of December 12": "2026-12-12/2026-12-13",
    "Friday, 11 December, 18:00 to 20:00": "2026-12-11",
    "2026年12月10日晚上7点": "2026-12-10",
    "明天下午3点": "2026-11-28",
    "下周六": "2026-12-05",
    "周日上午": "2026-11-29",
    "这个周末": "2026-11-28/2026-11-29",
    "12月5号到7号": "2026-12-05/2026-12-07",
    "周日（12月6日）下午3点": "2026-12-06",
    "12月7日到1月15日": "2026-12-07/2027-01-15",
    "下下周三": "2026-12-09",
    "十二月二十号": "2026-12-20",
    "on Tuesday 8 December 10:00-12:00": "2026-12-08",
    "Tuesday evening, 8 December, 19:00": "2026-12-08",
    "by Friday": "2026-12-04",  # nobody calls today by its weekday
    "周五之前": "2026-12-04",
    "Room 3.05 may be used by all": "",
    "two speakers, 45 minutes each": "",
    "版本2.10需要三个人测试": "",
    "本周三": "2026-11-25",
    "每周一次": "",
}


@pytest.mark.parametrize("said", DAYS)
def test_days_are_read(said: str) -> None:
    found = days_in(said, FRIDAY.day)
    days = sorted({each for one in found for each in (one.first.isoformat(), one.last.isoformat())})
    assert "/".join(days) == DAYS[said]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("by December 11", "2026-12-11"),
        ("before December 11", "2026-12-10"),
        ("最晚12月5日", "2026-12-05"),
        ("12月5日前", "2026-12-05"),
        ("，做到1月底", "2027-01-31"),
        ("，到1月10日", "2027-01-10"),
        (", December 20 is the deadline", "2026-12-20"),
        ("，12月2日就要", "2026-12-02"),
        ("before we open the doors on 15 January", "2027-01-14"),
    ],
)
def test_a_deadline_is_no_time_of_the_whole(said: str, day: str) -> None:
    told = told_in(f"a poster {said}", FRIDAY).context
    assert (told.deadline, told.when.first, told.when.last) == (day, "", "")


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("at 7pm", ("19:00", "", "")),
        ("from 18:00 to 20:00", ("18:00", "20:00", "")),
        ("7-9 pm", ("19:00", "21:00", "")),
        ("no loudspeakers after 21:30", ("21:30", "", "after")),
        ("下午3点到5点", ("15:00", "17:00", "")),
        ("晚上九点半之后", ("21:30", "", "after")),
        ("from 9 to 17", ("09:00", "17:00", "")),
        ("from 9 to 17 euros", None),
        ("for 3 hours", None),
    ],
)
def test_hours_are_read(said: str, hours: tuple[str, str, str] | None) -> None:
    assert [(each.opens, each.closes, each.bound) for each in hours_in(said)] == ([hours] if hours else [])


@pytest.mark.parametrize(
    ("said", "people"),
    [
        ("for 30 colleagues", People(at_least=30, at_most=30)),
        ("20-30 people", People(at_least=20, at_most=30)),
        ("at least 12 guests", People(at_least=12)),
        ("不超过20人", People(at_most=20)),
        ("our team of 14, in Berlin", People(at_least=14, at_most=14)),
        ("九千人的邮件订阅", None),
        ("a hall for 100 dancers", People(at_least=100, at_most=100)),
        ("a bus trip with 14 pensioners", People(at_least=14, at_most=14)),
        ("幼儿园二十位老师想学心肺复苏", People(at_least=20, at_most=20)),
        ("请三位老师来讲课", None),
        ("ninety-nine seats", People(at_least=99, at_most=99)),
        ("Dinner for about seventy guests", People(at_least=70, at_most=70)),
        ("twenty-five of us", People(at_least=25, at_most=25)),
        ("听众40人", People(at_least=40, at_most=40)),
        ("for 80 people or more", People(at_least=80)),
        ("sailing with our team of 9 sailing fans", People(at_least=9, at_most=9)),
        ("three people who can lift a sofa", None),
        ("需要两个人", None),
        ("a truck and three people to carry boxes", None),
    ],
)
def test_guests_are_counted_and_helpers_are_not(said: str, people: People | None) -> None:
    assert [each.people for each in heads_in(said)] == ([people] if people else [])


@pytest.mark.parametrize(
    ("said", "money"),
    [
        ("budget 500 euros", Money(amount=500, currency="EUR")),
        ("€1,500", Money(amount=1500, currency="EUR")),
        ("$20 per person", Money(per_head=20, currency="USD")),
        ("预算3万", Money(amount=30_000)),
        ("人均100元", Money(per_head=100, currency="CNY")),
        ("每人预算30元", Money(per_head=30, currency="CNY")),
        ("做一块控制板，预算2万元", Money(amount=20_000, currency="CNY")),
        ("没有预算", Money(none=True)),
        ("35 pounds an hour, two hours at least", Money()),
        ("£40 per trip", Money()),
    ],
)
def test_money_is_read(said: str, money: Money) -> None:
    assert [each for each, _, _ in money_in(said)] == [money]


@pytest.mark.parametrize(
    ("said", "datum"),
    [
        ("not on Mondays", Days(weekdays=("mon",), allowed=False)),
        ("I work Mondays to Thursdays", Days(weekdays=("mon", "tue", "wed", "thu"))),
        ("周一不行", Days(weekdays=("mon",), allowed=False)),
        ("Start on Tuesday, December 1", Days(first="2026-12-01", last="2026-12-01")),
        ("no later than 21:30", Hours(end="21:30")),
        ("nothing before 10 am", Hours(start="10:00")),
        ("No more than 20 people in the workshop", People(at_most=20)),
        ("提前三天通知", Notice(days=3)),
        ("by December 10", Deadline(day="2026-12-10")),
        ("No loudspeakers after 21:30", None),
        ("No meetings before 13:00 Lisbon time", None),
        ("I get the final headcount three days before", Notice(days=3)),
        ("I get the final headcount three days before, and it does not grow after that", None),
        ("人数提前两天锁定，之后只加不减", None),
        ("45 minutes for my talk instead of 30", None),
        ("alcohol", None),
    ],
)
def test_a_wish_is_data_as_a_whole_or_not_at_all(said: str, datum: Datum | None) -> None:
    assert datum_in(said, FRIDAY)[0] == datum


@pytest.mark.parametrize(
    ("demand", "parts"),
    [
        ("我想在北京办一场50人的AI主题聚会，需要场地和嘉宾", ["场地", "嘉宾"]),
        ("I need a logo, photos would be nice", ["a logo", "(photos)"]),
        ("We need two speakers on AI, a photographer and catering for 40 people on December 12 from 18:00 to 21:00.",
         ["two speakers on AI", "a photographer", "catering"]),
        ("Looking for somebody to photograph our day and edit the pictures by December 20.",
         ["somebody to photograph our day and edit the pictures"]),
        ("We don't need a venue. We need a moderator for Thursday.", ["a moderator"]),
        ("We need a venue on December 8 for 40 people, and no loudspeakers after 21:30.", ["a venue"]),
        ("需要一位摄影师和两名志愿者，12月12日，最好有懂手语的同事", ["一位摄影师", "两名志愿者", "(懂手语的同事)"]),
        ("Our coffee machine is leaking, who can repair it?", ["Our coffee machine is leaking, who can repair it"]),
        ("Organize a farewell party for Anna", ["Organize a farewell party for Anna"]),
        ("空调不制冷了，还滴水，哪位师傅能看看？", ["空调不制冷了，还滴水，哪位师傅能看看"]),
        ("我家水龙头一直漏水，谁能来修一下？", ["我家水龙头一直漏水，谁能来修一下"]),
        ("想做一条90秒的宣传片，素材我们自己有，只要剪辑。", ["剪辑"]),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_found_in_its_own_words(demand: str, parts: list[str]) -> None:
    found = wanted_in(demand, told_in(demand, FRIDAY).spans)
    told = [(demand[each.start : each.end], each.essential) for each in found]
    said = [words if essential else f"({words})" for words, essential in told]
    assert said == parts


@pytest.mark.parametrize(
    ("demand", "parts"),
    [
        ("We need a venue and an MC for 12 December. They need to confirm by Monday.", ["a venue", "an MC"]),
        ("Looking for a photographer for Saturday. We need to know by Wednesday.", ["a photographer"]),
        ("Hi, we need help with our website texts. I need them back before 10 December.",
         ["help with our website texts"]),
        ("Looking for frontend help. I need to tell the board by Monday.", ["frontend help"]),
        ("急需一位英译中翻译，把20页讲稿翻成中文，12月10日前。", ["一位英译中翻译，把20页讲稿翻成中文"]),
        ("We need a band on Friday, and a drummer is not needed.", ["a band"]),
        ("找人帮忙拍一段招聘短视频，我周一前要定下来。", ["拍一段招聘短视频"]),
        ("I need a translator on Monday. Thirty guests are coming.", ["a translator"]),
        ("Looking for a lawyer; we'd need 12 hours a month and the first batch done by Friday.", ["a lawyer"]),
        ("想请人讲讲大模型评测，一个小时左右，听众40人。", ["讲讲大模型评测"]),
        ("找一位主持人，12月5日晚上7点，三里屯，80人的脱口秀之夜。", ["一位主持人"]),
    ],
)  # fmt: skip
def test_what_only_tells_of_it_is_no_need(demand: str, parts: list[str]) -> None:
    assert [demand[each.start : each.end] for each in wanted_in(demand, told_in(demand, FRIDAY).spans)] == parts


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("8 hours a week each", [8]),
        ("每人每周大概6小时", [6]),
        ("Ten hours a week, flexible", [10]),
        ("每月八小时，工作日白天", [2]),
        ("12 hours a month", [3]),
        ("20 hours next week", []),
    ],
)
def test_hours_of_a_week_and_of_a_month_are_compared_as_one(said: str, hours: list[float]) -> None:
    assert [each[0] for each in effort_in(said)] == hours


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("two speakers", (2, True)),
        ("3 rooms", (3, False)),
        ("a logo", (0, False)),
        ("四个人搬箱子", (4, True)),
        ("five interviews with people who pay", (5, False)),
    ],
)
def test_a_quantity_stands_in_front(said: str, expected: tuple[int, bool]) -> None:
    assert counted(said) == expected


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("Which town should we evacuate to?", True),
        ("要不要把产品迁到新的云上？", True),
        ("Should we use Postgres or MongoDB?", True),
        ("Planning poker: should teams estimate in hours or points?", True),
        ("Who can translate this?", False),
        ("We need somebody who knows which cloud is best", False),
    ],
)
def test_a_question_of_judgement_is_told_from_a_demand(said: str, is_one: bool) -> None:
    assert asks_for_judgement(said) is is_one


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        ("We need a venue", "en"),
        ("需要场地", "zh"),
        ("会場が必要です", "ja"),
        ("장소가 필요합니다", "ko"),
        ("نحتاج إلى قاعة", "ar"),
        ("Нам нужен зал", "ru"),
        ("Wir brauchen einen Fotografen für Freitag", "und"),
        ("Nous cherchons une salle pour vendredi", "und"),
    ],
)
def test_the_language_is_told_by_its_letters_and_commonest_words(said: str, tag: str) -> None:
    assert tag_of(said) == tag


@pytest.mark.parametrize(
    ("demand", "parts"),
    [
        ("We want a landing page, a logo by 10 January, and someone who takes photos of the bread.",
         ["a landing page", "a logo", "someone who takes photos of the bread"]),
        ("需要一位钢琴手（弹两首）、一位化妆师和一位司机，12月20日下午3点，上海。",
         ["一位钢琴手（弹两首）", "一位化妆师", "一位司机"]),
        ("要做一个报名小程序，1月15日前上线，还要两个人做测试；另外需要一位设计师。",
         ["做一个报名小程序", "两个人做测试", "一位设计师"]),
        ("需要场地，因为家里太小，还要摄影师，我们会自己带吃的。", ["场地", "摄影师"]),
        ("We need a booth, two hosts and flyers. No smoking please. Also a projector.",
         ["a booth", "two hosts", "flyers", "Also a projector"]),
        ("Please proofread our brochure and record a short video by 20 December; we send the draft on Tuesday.",
         ["proofread our brochure", "record a short video"]),
        ("帮忙做一个PPT，材料明天发给你，12月9日前要。", ["一个PPT"]),
        ("帮忙修一下打印机，另外要有人搬桌子，谢谢。", ["修一下打印机", "有人搬桌子"]),
        ("Catering for 60 people in Oslo on 12 December at 6 pm, and a photographer.", ["Catering", "a photographer"]),
        ("I need a one-page budget by 12 January, a sponsor for the drinks, and a host for the evening.",
         ["a one-page budget", "a sponsor for the drinks", "a host for the evening"]),
        ("I need an engineer for an API. If possible also someone to set up hosting.",
         ["an engineer for an API", "also someone to set up hosting"]),
        ("12月14日晚上办读书会，要一个场地，还要有咖啡和点心。", ["一个场地", "咖啡", "点心"]),
        ("需要移动开发、UI设计和测试，每人每周大概8小时。", ["移动开发", "UI设计", "测试"]),
        ("We need iOS development, user research and UX design for a prototype, 6 hours a week each.",
         ["iOS development", "user research", "UX design for a prototype"]),
        ("Looking for someone to review an agreement and our privacy notice by 9 December.",
         ["someone to review an agreement and our privacy notice"]),
        ("想找人看看我们的用户协议和隐私政策，每月大概10小时。", ["看看我们的用户协议和隐私政策"]),
        ("We are 24 people and want a talk about agents. Someone to host it would be nice.",
         ["a talk about agents", "Someone to host it"]),
        ("Please find us an engineer for the backend and a designer for the UI.",
         ["an engineer for the backend", "a designer for the UI"]),
        ("Speaker on AI wanted for a meetup on Thursday, plus somebody to take care of sponsorship.",
         ["Speaker on AI", "somebody to take care of sponsorship"]),
        ("Half a day in Berlin, 12 people: facilitator required, and a designer would be great.",
         ["facilitator", "a designer"]),
        ("Our club needs a first version of a sensor board.", ["a first version of a sensor board"]),
        ("Can somebody offer a room, and who brings snacks?", ["offer a room", "who brings snacks"]),
        ("Help wanted: someone to do our bookkeeping, no pay.", ["someone to do our bookkeeping"]),
        ("Winter drinks on Friday. We are after a cosy room and a photographer.", ["a cosy room", "a photographer"]),
        ("想做一次问卷调研，需要人设计问卷和做数据分析", ["设计问卷", "做数据分析"]),
        ("We plan a hackathon: venue, food, mentors for AI.", ["venue", "food", "mentors for AI"]),
        ("We're after a baker, someone to write to the guests, and music from the region.",
         ["a baker", "someone to write to the guests", "music from the region"]),
        ("Before the launch we must have a logo and a host. It would be nice to have a cake.",
         ["a logo", "a host", "a cake"]),
        ("Wanted. Needed for our open day: a guide, a cook, and balloons.", ["a guide", "a cook", "balloons"]),
        ("需要场地、会议室和一位主持人。", ["场地", "会议室", "一位主持人"]),
        ("求租一台投影仪，另外要一个摄影师，还要一份菜单，菜单12月3日前定。", ["一台投影仪", "一个摄影师", "一份菜单"]),
        ("Wanted: a plumber, somebody to tune a piano, and a roofer.",
         ["a plumber", "somebody to tune a piano", "a roofer"]),
        ("12月4日之前要一份活动预算和一份菜单。", ["一份活动预算", "一份菜单"]),
        ("1月10日前要一张海报，另外还要一首歌。", ["一张海报", "一首歌"]),
        ("招两位木匠，做到2月底。", ["两位木匠"]),
        ("想请一位懂咖啡和甜点的师傅。", ["一位懂咖啡和甜点的师傅"]),
        ("需要场地，最好有人录像。", ["场地", "有人录像"]),
        ("找两个人：一个写歌词，一个谱曲。", ["一个写歌词", "一个谱曲"]),
        ("I'd like to hear from somebody who runs servers and somebody from legal.",
         ["somebody who runs servers", "somebody from legal"]),
    ],
)  # fmt: skip
def test_of_what_is_asked_for_nothing_is_lost(demand: str, parts: list[str]) -> None:
    assert [demand[each.start : each.end] for each in wanted_in(demand, told_in(demand, FRIDAY).spans)] == parts


@pytest.mark.parametrize(
    ("demand", "parts"),
    [
        ("1月16日，需要场地和主持，海报有的话更好，没有也行。", ["场地", "主持", "海报"]),
        ("需要场地和一位讲机器人的嘉宾，嘉宾差旅可以报销。", ["场地", "一位讲机器人的嘉宾"]),
        ("想请人帮我们分析一批数据，大概每周15小时，连续三周，可以付2000元报酬。", ["分析一批数据"]),
        ("要做一个报名页，只收姓名和手机号。", ["做一个报名页"]),
        ("找一位钢琴老师，每周两次课，一次两百块。", ["一位钢琴老师"]),
        ("前端缺一个人，要会React，周日能开会。", ["一个人，要会React，周日能开会"]),
        ("想请一位魔术师，给20个孩子演一场。", ["一位魔术师，给20个孩子演一场"]),
        ("需要一位手语翻译，20位听众，酬劳800元。", ["一位手语翻译"]),
        ("Looking for a developer and someone for tests, about 5 hours a week each, weekday evenings.",
         ["a developer", "someone for tests"]),
        ("Looking for an analyst, to find out what works. We can pay 2,000 euros in total.",
         ["an analyst, to find out what works"]),
        ("要做一个报名小程序，还要一个接口，人在哪里都行。", ["做一个报名小程序", "一个接口"]),
        ("想在北京办一场读书会，要场地和茶歇，差旅预算500元。", ["场地", "茶歇"]),
        ("谁会修自行车？明天下午最好。", ["修自行车"]),
        ("Does anyone know a plumber? The sink leaks and it has to be fixed.", ["a plumber"]),
        ("Can someone teach us chess? Two evenings a month, from 11 January.", ["teach us chess"]),
        ("Could someone take photos? We can pay £300. I need the pictures by 20 December.", ["take photos"]),
    ],
)  # fmt: skip
def test_a_detail_a_payment_or_a_reason_is_no_need(demand: str, parts: list[str]) -> None:
    assert [demand[each.start : each.end] for each in wanted_in(demand, told_in(demand, FRIDAY).spans)] == parts


@pytest.mark.parametrize(
    ("text", "first", "deadline"),
    [
        ("1月16日在北京办大会，需要场地，最好还有茶歇。", "2027-01-16", ""),
        ("Can someone film our recital on 13 December? The music is delivered on 5 December.", "2026-12-13", ""),
        ("帮忙做一个PPT，材料明天发给你，12月9日前要。", "", "2026-12-09"),
        ("需要海报，12月9日前要，照片下周二给", "", "2026-12-09"),
        ("A logo by 9 December. Photos on 12 December would be nice.", "", "2026-12-09"),
        ("A workshop on 7 December and a dinner on 11 December", "", ""),
        ("12月19日（周六）需要调酒师", "2026-12-19", ""),
        ("We need a lawyer for six hours in December.", "", ""),
        ("Is there anybody who can sing for us on Sunday?", "2026-11-29", ""),
        ("Before we open on 12 January we need a sign.", "", "2027-01-11"),
        ("谁能画一张地图？下周四（12月3日）之前要用。", "", "2026-12-03"),
        ("The heating has been off since Monday. Could someone come by on 2 December and look?", "2026-12-02", ""),
        ("A lawyer, no more than six hours in December, for our meeting on 12 January.", "2027-01-12", ""),
        ("找后端，每周二晚上九点开会，做到2月28日。", "", "2027-02-28"),
    ],
)
def test_a_day_of_something_else_is_none_of_the_plan(text: str, first: str, deadline: str) -> None:
    told = told_in(text, FRIDAY).context
    assert (told.when.first, told.deadline) == (first, deadline)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("An online talk on 9 December at 7 pm Tokyo time", "Asia/Tokyo"),
        ("纽约时间12月9日晚上8点，线上，需要讲者", "America/New_York"),
        ("A talk in London on 9 December at 19:00 UTC", "UTC"),
        ("In London on 9 December, 10:00 to 12:00, we need a host", "Europe/London"),
        ("A host for a Shanghai meetup on 9 December at 7 pm", "Asia/Shanghai"),
        ("We need a host at our Lisbon office on 9 December at 7 pm", "Europe/Lisbon"),
        ("Two helpers at our Bremen office on 9 December at 10:00", "Europe/Berlin"),
    ],
)
def test_a_time_zone_that_is_named_is_that_of_the_hours(text: str, zone: str) -> None:
    assert told_in(text, FRIDAY).context.when.time_zone == zone


def test_hours_of_another_sentence_than_the_day_are_none_of_it() -> None:
    for text in ("12月5日开始，每周二晚上九点线上碰一次", "A stall on 5 December. We usually meet at 9pm"):
        assert told_in(text, FRIDAY).context.when.start == ""


SEVERAL_DAYS: Final = {
    "年会12月18日（周五）晚六点到九点，流程单12月14日发": ("2026-12-18", "", "2026-12-14"),
    "The script is ready on 4 December, we need it on 8 December": ("2026-12-08", "", "2026-12-04"),
    "小程序报名页，1月10日活动，1月5日上线": ("2027-01-10", "2027-01-05", ""),
    "我们的小程序12月20日要上线，想找人做测试": ("", "2026-12-20", ""),
    "The text comes on Monday, and we need the result by Thursday 3 December": ("", "2026-12-03", "2026-11-30"),
    "Thursday 17 December in the evening, flyers by 10 December": ("2026-12-17", "2026-12-10", ""),
    "One hour on Sunday afternoons": ("", "", ""),
    "A stall on 12 and 13 December from 10:00 to 16:00": ("2026-12-12", "", ""),
    "An event on 8 December from 18:00 to 21:00, and a film within ten days": ("2026-12-08", "", ""),
    "We want it done before Christmas": ("", "2026-12-24", ""),
}


@pytest.mark.parametrize("said", SEVERAL_DAYS)
def test_of_several_days_each_is_what_stands_beside_it(said: str) -> None:
    told = told_in(said, FRIDAY)
    handed = told.handed.isoformat() if told.handed else ""
    assert (told.context.when.first, told.context.deadline, handed) == SEVERAL_DAYS[said]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("About ten hours all in all.", (10, 1)),
        ("Probably 12 hours of work spread over three weeks.", (12, 3)),
        ("每周大概6小时，做四周", (24, 4)),
        ("估计两个小时的活", (2, 1)),
        ("A workshop of two hours", (0, 1)),
    ],
)
def test_hours_of_work_are_counted_in_all(said: str, expected: tuple[int, int]) -> None:
    assert work_in(said, 1) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We want to run a survey, ten questions at most, 12 hours of work", ["run a survey"]),
        ("想找人做测试，前后三周，每周大概8小时", ["做测试"]),
        ("Who could test three builds, one a week, evenings only?", ["test three builds"]),
        ("We have 16 people and would love a facilitator for the morning, 9 to 12.", ["a facilitator for the morning"]),
        ("想请一位摄影师拍照，另外要录像，照片会署名。", ["一位摄影师拍照", "录像"]),
    ],
)
def test_what_holds_only_data_is_no_need_of_its_own(text: str, parts: list[str]) -> None:
    told = told_in(text, FRIDAY)
    assert [text[each.start : each.end] for each in wanted_in(text, told.spans)] == parts
