"""Hidden profiles, made by code: tasks in which neither the Planner's half of the facts nor the Critic's is enough.

Each is varied by a seed in names, dates and figures, in English and Chinese. How it is made tells what is right.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import Plan, Position
from engine.deliberation.halves import half
from engine.deliberation.plan_changes import task_of
from engine.deliberation.terms import Agent, Brief
from engine.kernel import FactKind, HandedFact, HandedPerson, HandedTask
from tests.offline.small_deliberation import SmallDeliberation

TODAY: Final = date(2026, 11, 23)
Language = Literal["en", "zh"]


class Task(NamedTuple):
    name: str
    brief: Brief
    choice: str = ""
    """The right option; empty where it is not asked to choose."""
    slots: tuple[tuple[str, str, str], ...] = ()
    """What the right plan has: task, ``deadline`` or ``owner``, and the value."""

    def is_right(self, position: Position, plan: Plan) -> bool:
        if self.choice and position.choice != self.choice:
            return False
        for task_id, slot, value in self.slots:
            task = task_of(plan, task_id)
            if task is None or getattr(task, slot) != value:
                return False
        return True


def hidden_profiles(seed: int = 20261123) -> tuple[Task, ...]:
    """At least forty tasks, of each kind in both languages."""
    random = Random(seed)  # noqa: S311 - it makes tests
    found: list[Task] = []
    languages: tuple[Language, ...] = ("en", "zh")
    for kind, count in ((_choices, 6), (_figures, 4), (_dates, 5), (_owners, 4), (_orders, 3)):
        for language in languages:
            found += (kind(random, language, at) for at in range(count))
    return tuple(found)


# ── choosing: what is shared praises the wrong ones, and each half rules out some of them ─────────────────────────

Domain = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""A question, options, praise, and what rules one out."""
DOMAINS: Final[dict[Language, tuple[Domain, ...]]] = {
    "en": (
        ("Which venue should we book for the summer party?", ("Rosenhof", "Bellevue", "Marina Loft", "Old Foundry"),
         ("{0} is cheap and everybody likes it.", "{0} is close and very spacious.", "{0} has excellent food."),
         ("{0} is fully booked on that day.", "{0} was closed after a fire.", "The permit of {0} has expired.")),
        ("Which supplier should deliver the chairs?", ("Nordica", "Palmer", "Kestrel", "Tobler"),
         ("{0} is fast and reliable.", "{0} has the best price.", "{0} is well known and offers generous terms."),
         ("{0} went bankrupt in October.", "The last chairs of {0} were recalled.", "{0} is on strike until spring.")),
        ("Which road should the convoy take?", ("Ridge Pass", "Canal Drive", "Abbey Lane", "Salt Track"),
         ("{0} is the shortest.", "{0} is wide and well lit.", "{0} is popular with the drivers."),
         ("{0} is blocked by a landslide.", "{0} is flooded.", "A bridge on {0} has collapsed.")),
        ("Which candidate should lead the laboratory?", ("Ines Duarte", "Marek Nowak", "Lena Fuchs", "Omar Aziz"),
         ("{0} has outstanding references.", "{0} is experienced and popular.", "{0} gave an impressive talk."),
         ("{0} has accepted another offer.", "{0} has forged a certificate.", "{0} withdrew the application.")),
        ("Which city should host the congress?", ("Lisbon", "Turin", "Gdansk", "Porto"),
         ("{0} is beautiful and easy to reach.", "{0} has cheap hotels.", "{0} is popular with our members."),
         ("All hotels in {0} are sold out.", "The hall of {0} is under renovation.", "{0} is flooded.")),
        ("Which tool should the team buy?", ("Fluxboard", "Taskomat", "Kanbanly", "Orderly"),
         ("{0} has the best reviews.", "{0} is fast and modern.", "{0} is cheap and easy."),
         ("{0} will be discontinued in March.", "{0} failed the security audit.", "Our rules prohibited {0}.")),
    ),
    "zh": (
        ("年会应该订哪个场地？", ("云顶厅", "碧水阁", "望江楼", "静园"),
         ("{0}价格便宜，大家都喜欢。", "{0}离地铁近，空间宽敞。", "{0}的菜很好。"),
         ("{0}那天已经订满。", "{0}因火灾关闭了。", "{0}的营业执照被吊销。")),
        ("应该选哪家供应商？", ("恒通", "佳美", "瑞祥", "博远"),
         ("{0}送货快，很可靠。", "{0}价格最实惠。", "{0}名气大，条件优惠。"),
         ("{0}上个月破产了。", "{0}的产品刚被召回。", "{0}的工人正在罢工。")),
        ("车队应该走哪条路？", ("青石路", "滨河道", "盘龙线", "古驿道"),
         ("{0}最短。", "{0}宽敞好走。", "{0}司机们都喜欢。"),
         ("{0}发生了塌方。", "{0}被淹了。", "{0}上的桥坍塌了。")),
        ("应该请谁负责实验室？", ("杜雨", "马克", "方琳", "欧阳明"),
         ("{0}履历出色。", "{0}经验丰富，受欢迎。", "{0}的报告很精彩，评价优秀。"),
         ("{0}已经接受别的单位的邀请。", "{0}的证书是伪造的。", "{0}退出了应聘。")),
        ("大会应该在哪里开？", ("厦门", "洛阳", "桂林", "大理"),
         ("{0}风景漂亮，交通方便。", "{0}的酒店便宜。", "{0}很受会员欢迎。"),
         ("{0}的酒店全部订满。", "{0}的会议中心正在拆除。", "{0}的机场关闭了。")),
        ("团队应该买哪个工具？", ("飞流", "任务通", "看板家", "有序"),
         ("{0}好评最多。", "{0}又快又现代。", "{0}便宜，容易上手。"),
         ("{0}三月停止服务。", "{0}没有通过安全审查。", "公司规定禁止使用{0}。")),
    ),
}  # fmt: skip


def _choices(random: Random, language: Language, at: int) -> Task:
    question, names, praise, negative = DOMAINS[language][at]
    options = random.sample(names, len(names))
    right, *wrong = random.sample(options, len(options))
    praises = [random.choice(praise).format(each) for each in wrong for _ in range(2)]
    decisive = [text.format(each) for text, each in zip(random.sample(negative, len(wrong)), wrong, strict=True)]
    soft = (f"{right} is a bit far." if language == "en" else f"{right}有点远。",)
    texts = [*dict.fromkeys(praises), *decisive, *soft]
    return _arranged(
        random,
        f"choice {language} {at}",
        lambda order: Brief(
            title=question, goal=question, today=TODAY.isoformat(), options=tuple(options), facts=_facts(order)
        ),
        texts,
        choice=right,
    )


def _figures(random: Random, language: Language, at: int) -> Task:
    """Only one option has room for all and is within the budget; one half knows seats, the other prices."""
    names = DOMAINS[language][0][1][:3]
    options = random.sample(names, 3)
    right, small, dear = random.sample(options, 3)
    guests, money = random.randrange(60, 200, 10), random.randrange(3000, 9000, 500)
    seats = {right: guests + 20, small: guests - 30, dear: guests + 60}
    prices = {right: money - 300, small: money - 1500, dear: money + 1000}
    if language == "en":
        texts = [f"{each} has room for {seats[each]} people." for each in options]
        texts += [f"{each} costs {prices[each]} euros." for each in options]
        texts += [
            f"The budget is {money} euros.",
            f"We expect {guests} guests.",
            f"{small} is lovely and close.",
            f"{dear} is the best.",
        ]
        question = "Which venue should we book for the dinner?"
    else:
        texts = [f"{each}能容纳{seats[each]}人。" for each in options]
        texts += [f"{each}的费用是{prices[each]}元。" for each in options]
        texts += [f"预算是{money}元。", f"预计有{guests}位客人。", f"{small}很漂亮，离得近。", f"{dear}口碑最好。"]
        question = "晚宴应该订哪个场地？"
    return _arranged(
        random,
        f"figures {language} {at}",
        lambda order: Brief(
            title=question, goal=question, today=TODAY.isoformat(), options=tuple(options), facts=_facts(order)
        ),
        texts,
        choice=right,
    )


# ── dates, owners, order: each half moves the plan, and only both move it to where it can be ──────────────────────


def _said(day: date, language: Language) -> str:
    return f"{day.day} {day:%B}" if language == "en" else f"{day.month}月{day.day}日"


def _dates(random: Random, language: Language, at: int) -> Task:
    """The hall is free on two days, and somebody who is needed cannot come on the one that suits the end better."""
    end = date(2026, 12, 20) + timedelta(days=random.randrange(0, 8))
    late, early = end - timedelta(days=random.randrange(2, 4)), end - timedelta(days=random.randrange(6, 10))
    person = HandedPerson(person_id="host", name=random.choice(("Ana", "Ben", "Kai")) if language == "en" else "小林")
    if language == "en":
        title = "Anniversary party"
        texts = [
            f"The hall is free only on {_said(early, language)} or {_said(late, language)}.",
            f"{person.name} is away from {_said(late - timedelta(days=1), language)} to {_said(end, language)}.",
        ]
        tasks = (("task-1", "Book the hall", ""), ("task-2", "Hold the party in the hall", "host"))
    else:
        title = "周年聚会"
        texts = [
            f"大厅只有{_said(early, language)}或{_said(late, language)}有空。",
            f"{person.name}{_said(late - timedelta(days=1), language)}到{_said(end, language)}出差。",
        ]
        tasks = (("task-1", "预订大厅", ""), ("task-2", "在大厅举办聚会", "host"))
    handed = tuple(
        HandedTask(task_id=task_id, title=what, owner=owner, deadline=end.isoformat() if owner else "", hours=4)
        for task_id, what, owner in tasks
    )
    return _arranged(
        random,
        f"dates {language} {at}",
        lambda order: Brief(
            title=title, goal=title, today=TODAY.isoformat(), ends=end.isoformat(), people=(person,), tasks=handed,
            facts=_facts(order),
        ),
        texts,
        slots=(("task-2", "deadline", early.isoformat()),),
    )  # fmt: skip


def _owners(random: Random, language: Language, at: int) -> Task:
    """Three could do it; one half knows why one of them cannot, the other why another one cannot."""
    names = ("Ana", "Ben", "Kai", "Zoe") if language == "en" else ("小林", "阿德", "老白", "晓梅")
    called = random.sample(names, 3)
    skills = {"en": ("translation", "photography", "music", "first aid"), "zh": ("翻译", "摄影", "音乐演奏", "急救")}
    skill = skills[language][at % 4]
    people = tuple(
        HandedPerson(person_id=f"p{number}", name=name, brings=skill) for number, name in enumerate(called, 1)
    )
    due = date(2026, 12, 4) + timedelta(days=random.randrange(0, 7))
    first = TODAY
    if language == "en":
        texts = [
            f"{called[0]} can't do any {skill} any more.",
            f"{called[1]} is away from {_said(first, language)} to {_said(due + timedelta(days=9), language)}.",
        ]
        title, what = "Open day", f"Take care of the {skill}"
    else:
        texts = [
            f"{called[0]}不能再做{skill}了。",
            f"{called[1]}{_said(first, language)}到{_said(due + timedelta(days=9), language)}出差。",
        ]
        title, what = "开放日", f"负责{skill}"
    task = HandedTask(task_id="task-1", title=what, deadline=due.isoformat(), hours=5)
    return _arranged(
        random,
        f"owners {language} {at}",
        lambda order: Brief(
            title=title, goal=title, today=TODAY.isoformat(), ends=due.isoformat(), people=people, tasks=(task,),
            facts=_facts(order),
        ),
        texts,
        slots=(("task-1", "owner", "p3"),),
    )  # fmt: skip


def _orders(random: Random, language: Language, at: int) -> Task:
    """What is needed first can only be late, for two reasons; what waits for it has to move behind it."""
    first = date(2026, 12, 2) + timedelta(days=random.randrange(0, 4))
    away = (first - timedelta(days=1), first + timedelta(days=3))
    person = HandedPerson(person_id="bo", name="Bo" if language == "en" else "小陈")
    right = away[1] + timedelta(days=1)
    if language == "en":
        titles = ("Write the texts", "Print the booklet")
        texts = [
            f"Bo is away from {_said(away[0], language)} to {_said(away[1], language)}.",
            f"The texts can be written only after {_said(first, language)}.",
        ]
        title = "Booklet for the club"
    else:
        titles = ("撰写文稿", "印刷手册")
        texts = [
            f"小陈{_said(away[0], language)}到{_said(away[1], language)}出差。",
            f"文稿不早于{_said(first + timedelta(days=1), language)}才能撰写。",
        ]
        title = "社团手册"
    tasks = (
        HandedTask(task_id="task-1", title=titles[0], owner="bo", deadline=first.isoformat(), hours=4),
        HandedTask(
            task_id="task-2", title=titles[1], deadline=(first + timedelta(days=1)).isoformat(), hours=3,
            depends_on=("task-1",),
        ),
    )  # fmt: skip
    return _arranged(
        random,
        f"order {language} {at}",
        lambda order: Brief(
            title=title, goal=title, today=TODAY.isoformat(), ends="2026-12-31", people=(person,), tasks=tasks,
            facts=_facts(order),
        ),
        texts,
        slots=(("task-1", "deadline", right.isoformat()), ("task-2", "deadline", right.isoformat())),
    )  # fmt: skip


# ── so that neither half is enough ────────────────────────────────────────────────────────────────────────────────


def _facts(texts: Sequence[str]) -> tuple[HandedFact, ...]:
    return tuple(
        HandedFact(fact_id=f"fact-{number}", kind=FactKind.CONSTRAINT, text=text)
        for number, text in enumerate(texts, 1)
    )


def _arranged(
    random: Random,
    name: str,
    brief_of: Callable[[Sequence[str]], Brief],
    texts: Sequence[str],
    *,
    choice: str = "",
    slots: tuple[tuple[str, str, str], ...] = (),
) -> Task:
    """Put the facts in an order by which each half alone leads to something wrong."""
    for order in _orders_of(random, texts):
        task = Task(name, brief_of(order), choice, slots)
        if not any(alone_is_right(task, agent) for agent in (Agent.PLANNER, Agent.CRITIC)):
            return task
    raise AssertionError(f"{name}: one half is enough however it is split")


def _orders_of(random: Random, texts: Sequence[str]) -> Iterator[list[str]]:
    for _ in range(200):
        yield random.sample([*texts], len(texts))


def alone_is_right(task: Task, agent: Agent) -> bool:
    """Whether one half of the facts leads to what is right."""
    known = half(task.brief, agent)
    alone = SmallDeliberation(replace(task.brief, facts=known), knows_all=True).run(rounds=2)
    assert alone.planner is not None
    return task.is_right(alone.planner.position, alone.planner.plan)
