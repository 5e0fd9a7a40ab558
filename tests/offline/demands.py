"""Demands for tests."""

MEETUP = "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾"
PROTOTYPE = (
    "I want to build a prototype of a mobile app that helps remote teams run better retrospectives, "
    "need design and engineering in the next six weeks"
)
OTHERS = (
    "下周六在上海办一个30人的机器人之夜，预算5000元，需要场地、嘉宾和摄影",
    "想做一个给老人用的记账小程序，需要设计和开发，两个月内上线",
    "北京，100人的开源大会，需要赞助、场地、茶歇和主持，预算3万元",
    "帮我们看看隐私政策和用户数据合规",
    "我们想做一个智能花盆的硬件原型，需要硬件和嵌入式",
    "给我们的播客做一张海报",
    "找一个产品经理和后端，做一个远程团队用的日程工具，三个月",
    "在北京办一场12人的读书会，场地已经有了，需要茶歇",
    "我们不需要场地，只需要两位AI嘉宾，线上分享，下周三",
    "We want to run a 25-person retrospective workshop in Berlin next month, need a facilitator",
    "Looking for someone to photograph our community evening in London on 14 June, no budget",
    "Need help translating our event page into German and Chinese within two weeks",
    "A data dashboard for our charity: three metrics and a survey",
    "Weekend hackathon in San Francisco for 60 people, need AI speakers and an iOS developer",
    "Organise a blockchain conference in Lisbon for 200 people with keynote speakers",
    "Online talk about AI agents for 100 people next Tuesday, need a speaker and someone to promote it",
    "Build a website for our bookshop, need frontend, QA and someone to write the docs, budget $3,000",
)
