"""Reads what a sentence says for or against whatever it is about, in Chinese and English.

Some things rule an option out whatever else speaks for it: a flooded road, a bankrupt supplier, an alibi. Others only
weigh. Negation turns both around: "no longer flooded" speaks for a road.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Manner(StrEnum):
    """What is asked for; what speaks for a choice depends on it."""

    BEST = "best"
    CULPRIT = "culprit"
    """Who did it: what clears somebody speaks against choosing them."""
    WORST = "worst"
    """What to give up: what speaks against an option speaks for choosing it."""


@dataclass(frozen=True, slots=True)
class Weight:
    value: float
    """Above 0: for it."""
    decisive: bool = False


NOTHING: Final = Weight(0.0)
DECISIVE: Final = 10.0

_CULPRIT: Final = re.compile(
    r"\bwho (?:did|stole|killed|took|leaked|committed|murdered|poisoned|broke|sabotaged|started|is (?:the )?(?:guilty"
    r"|thief|killer"
    r"|culprit|murderer|responsible|likely to have))|\b(?:culprit|suspects?|perpetrator|murderer|guilty|thief"
    r"|which of them did)\b"
    r"|凶手|嫌疑|作案|真凶|谁(?:偷|杀|干|泄|拿|放|做的|下毒)|窃贼|小偷|内鬼|肇事",
    re.IGNORECASE,
)
_WORST: Final = re.compile(
    r"\bwhich (?:\w+ ){0,3}(?:to|should (?:we |be |they )?(?:be )?|do we |must (?:we )?)(?:drop\w*|cut\b|close\w*"
    r"|cancel\w*|reject\w*|abandon\w*|eliminat\w*|give up|shut)"
    r"|哪(?:个|家|项|条|一|位).{0,6}(?:放弃|砍掉|取消|淘汰|关闭|裁撤)|(?:放弃|砍掉|取消|淘汰|关闭)哪",
    re.IGNORECASE,
)

_DECISIVE_EN: Final = (
    r"clos(?:ed|ure)|shut(?: down)?|blocked|impassable|flood(?:ed|ing)|under water|underwater|collaps\w+"
    r"|washed (?:away|out)|landslides?|mudslides?"
    r"|avalanches?|rockfalls?|sinkholes?|recall(?:ed|s)?|allerg(?:ic|y)|anaphyla\w+|unavailable|impossible|bann?ed"
    r"|prohibit\w+|forbidden|forbids?"
    r"|illegal|unlawful|expired|revoked|suspended|bankrupt\w*|insolven\w+|liquidation|contaminat\w+|polluted"
    r"|poison(?:ed|ous)"
    r"|toxic|condemned|destroyed|demolished|demolition|burn(?:ed|t) down|gutted|sold out|fully booked|booked (?:up"
    r"|out)|already (?:taken|booked|sold|reserved|let|rented|promised|accepted|signed)"
    r"|withdr(?:awn|ew)|resign(?:ed|s|ing)|convicted|frauds?|fraudulent|forg(?:ed|ery)|falsif\w+|fabricated"
    r"|plagiari\w+|embezzl\w+"
    r"|lied|fail(?:ed|s|ing)? (?:\w+ ){0,3}(?:inspection|test|audit|check|certification|screening|review|trial"
    r"|assessment)s?|contraindicat\w+"
    r"|unsafe|lethal|deadly|on strike|strike|ruled out|rules? (?:it |this )?out|excludes?|alibi|moratorium|injunction"
    r"|out of (?:service|order|stock|action|business)"
    r"|under (?:repair|renovation|construction|investigation)|radioactiv\w+|asbestos|infested|infestation|outbreak"
    r"|quarantine\w*|mined|minefield"
    r"|structural(?:ly)? (?:damage|unsound|cracks?)|unsound|gas leak|leaks? (?:gas|fuel|chemical)|power (?:outage"
    r"|cut)|without (?:power|water|electricity)"
    r"|discontinued|cancel(?:led|ed)|grounded|evacuated|overrun|seized|deactivated|disqualif\w+|ineligible"
    r"|not eligible|non-?compete"
    r"|accepted (?:another|a(?:n)?|the|an offer|a job|a position|other)(?: \w+){0,3}(?: offer| job| position| role|)"
    r"|moving abroad|exceed(?:s|ed|ing)?|over (?:the )?budget|too (?:small|narrow|low|heavy|large|big|late|short|weak"
    r"|tall|wide|shallow|steep|far)\b"
    r"|insufficient|inadequate|not enough|drained|snapped|broken|ruptured|dead|stolen|hospitali[sz]ed|injured"
    r"|imprisoned|crevasses?|frozen over|iced over"
)
_DECISIVE_ZH: Final = (
    r"关闭|封闭|封路|封锁|封控|被淹|淹没|淹水|积水|坍塌|倒塌|塌方|塌陷|滑坡|泥石流|雪崩|堵死|阻断|中断|召回|过敏"
    r"|不可用|禁止|严禁|违法|违规|过期|到期未|吊销|撤销|暂停"
    r"|停运|停用|停业|停产|停飞|破产|资不抵债|清算|污染|中毒|有毒|烧毁|烧掉|毁坏|损毁|拆除|拆迁|售罄|订满|满员|订完"
    r"|约满|已经(?:被|租|卖|订|签|答应|接受)|退出|辞职|离职|拒绝"
    r"|造假|伪造|假的|虚假|欺诈|诈骗|抄袭|挪用|不合格|未通过|没通过|没有通过|不达标|不符合|禁忌|危险|不安全|罢工|排除"
    r"|不在场|阴性|泄漏|石棉|裂缝|裂痕|感染|疫情|隔离|停电|断电|断水"
    r"|故障|失灵|坏了|报废|缺货|断供|冻结|查封|扣押|被捕|住院|受伤|竞业|超出预算|超预算|超过预算|超出|太小|太窄|太低"
    r"|太重|太晚|太短|太远|太浅|太陡|过窄|过低|过重|装不下|坐不下|放不下"
    r"|不够|不足|来不及|赶不上|取消|失效|被盗|断裂|冲垮|冲毁|瘫痪|沦陷|占满|被占"
)
_NOT_EN: Final = (
    r"(?:can ?not|can't|could not|couldn't|unable to|won't be able to|will not|won't|refuses? to|does not|doesn't"
    r"|do not|don't|did not|didn't|has not|hasn't"
    r"|have not|haven't|is not|isn't|are not|aren't|was not|wasn't|lacks?|lacking|missing|has no|have no|had no"
    r"|there is no|there are no|with no|without|no longer|neither|none of|nobody)"
)
_NOT_ZH: Final = (
    r"(?:不能|无法|没法|不会|不再|没有|没|缺少|缺乏|缺|不具备|不提供|不支持|不接受|不允许|不肯|不|无(?!论|人机"
    r"|线|障碍|菌|须|需|锡))"
)
_BAD_EN: Final = (
    r"bad|worse|poor(?:ly)?|slow(?:er|ly)?|expensive|costl(?:y|ier)|pric(?:e)?y|late|delays?|delayed|unreliable"
    r"|weak(?:er|ness)?|complain\w*|risk(?:y|s)?|concerns?"
    r"|problems?|issues?|difficult\w*|hard(?:er)?|noisy|crowded|old(?:er)?|dirty|cramped|limited|uncertain|unproven"
    r"|inexperienced|narrow|steep|remote|far(?:ther)?"
    r"|longer|heavy traffic|traffic jams?|mixed reviews|turnover|damaged?|worn|outdated|rude|arrogant|conflicts?"
    r"|disputes?|lawsuits?|sued|debts?|losses|loss"
    r"|shortages?|rumou?rs?|erratic|error(?:s|-prone)?|bugs?|crash(?:es|ed)?|downtime|breach(?:es|ed)?|hacked|fined?"
    r"|penalt\w+|violations?|warned|warnings?|dangerous|hazard\w*"
    r"|nervous|tired|sick|ill|inconvenient|least|mistakes?|unpopular|dislikes?|disappoint\w*|declin(?:ed|ing|es)"
    r"|dropped|fell|cracks?|stains?|mould|mold|storms?|fog|wildfires?|snipers?|checkpoints?|bandits?|pirates?|tolls?"
    r"|vibrat\w+|leaks?|leaking"
)
_BAD_ZH: Final = (
    r"差|糟|慢|贵|延误|拖延|晚点|迟到|不可靠|不稳定|投诉|抱怨|风险|担心|问题|困难|吵|噪音|拥挤|老旧|陈旧|脏|狭窄|有限"
    r"|不确定|没经验|经验不足|偏远|较远|很远|更远|堵车|拥堵|冲突|纠纷|官司|诉讼"
    r"|被告|负债|亏损|短缺|传闻|谣言|错误|漏洞|崩溃|宕机|罚款|处罚|警告|隐患|不方便|差评|失误|下降|下滑|破损|漏水"
    r"|发霉|大雾|风暴|漏油"
)
_GOOD_EN: Final = (
    r"good|better|best|great|excellent|outstanding|strong(?:er|est)?|fast(?:er|est)?|quick(?:er|est|ly)?|cheap(?:er"
    r"|est)?|affordable|reliab\w+|safe(?:r|st|ly)?|secure|spacious"
    r"|large(?:r|st)?|modern|new(?:er|est)?|clean|close(?:r|st)?|near(?:by|er|est)?|convenient|easy|easier|popular"
    r"|prais\w+|recommend\w*|prefer\w*|favou?r\w*|lik(?:es?|ed)|love[sd]?"
    r"|experienced|skilled|proven|award\w*|well[- ]known|renowned|respected|friendly|charming|impress\w+|comfortable"
    r"|beautiful|attractive|scenic|short(?:er|est)|direct|discounts?|low(?:er|est)? (?:price|cost|rent|fee)s?"
    r"|on time|punctual|certified|approved|accredited|licensed|available|open|free|ready|works?|suits?|fits?|meets?"
    r"|matches|match|consistent|compatible|ample|plenty|enough|sufficient|generous|dry|clear|stable|intact|sturdy"
    r"|high ground|elevated"
    r"|passed|has (?:a|an|its own|the|two|three|its)|offers?|provides?|equipped|includes?|guarantee\w*|warranty"
    r"|backup|generator|accessible|quiet|bright|top|leading|successful\w*|profitable|positive|typical|classic"
    r"|explains?|confirm(?:s|ed)?|reopened|repaired|fixed|restored|cleared|resolved|renewed|in stock"
    r"|in good condition|fluent|loyal|trusted|holds?"
)
_GOOD_ZH: Final = (
    r"好|优秀|出色|强|快|便宜|实惠|划算|低价|优惠|可靠|稳定|安全|宽敞|大|现代|新|干净|近|方便|便利|容易|受欢迎|好评"
    r"|推荐|看好|青睐|喜欢|经验丰富|有经验|熟练|成熟|获奖|知名|有名|友好|舒适|漂亮|直达|短"
    r"|准时|认证|资质|批准|可用|开放|有空|畅通|充足|足够|充裕|干燥|完好|坚固|高地|通过|提供|配备|自带|设有|备有|保证"
    r"|质保|备用|发电机|无障碍|安静|领先|成功|盈利|阳性|典型|吻合|符合|支持|证实|恢复|修复|修好|重新开放|解除|现货"
    r"|流利|信任|满意|热情|丰富|齐全|低"
)
_CLEARING_EN: Final = (
    r"alibi|abroad|overseas|out of (?:town|the (?:city|country|building))|in (?:hospital|surgery|court|custody|prison"
    r"|jail)|on (?:a|the|an) (?:plane|flight|train|night shift|stage|air)|hospitali[sz]ed"
    r"|(?:camera|cctv|footage|records?|logs?|witness(?:es)?|ticket|receipt|colleagues?|neighbou?rs?|guests?|waiters?"
    r"|nurses?|video|gps|passport|staff)\b[^.]{0,60}\b(?:show(?:s|ed)?|confirm(?:s|ed)?|prove[sd]?|place[sd]?|saw|put"
    r"|seen|recorded|testif\w+|swears?|swore)\b[^.]{0,80}\b(?:elsewhere|at home|until|from|all (?:night|evening|day"
    r"|afternoon|morning)|the (?:whole|entire)|at the (?:time|same time|other)|miles|kilomet\w+|away|another|during"
    r"|between|when)"
    r"|could not have|couldn't have|cannot have|can't have|was (?:with|at|in|on|giving|teaching|playing|performing"
    r"|attending|speaking|driving|flying|operating)\b[^.]{0,60}\b(?:at the time|when|all (?:night|evening|day)"
    r"|the whole|the entire|until|between|from|during|throughout)|(?:does|do|did) not match|(?:doesn't|don't"
    r"|didn't) match|ruled out|cleared|innocent|physically (?:unable|incapable)|wheelchair|cannot walk"
    r"|arm in a (?:cast|sling)|broken (?:arm|leg|wrist|hand)|no access|deactivated|revoked|dna (?:excludes|did not)"
    r"|left-handed|right-handed|colou?r[- ]blind|asleep under|sedated"
)
_CLEARING_ZH: Final = (
    r"不在场|在国外|出国|出差|在医院|住院|手术|在飞机上|在高铁上|在火车上|值班|监控(?:显示|拍到"
    r"|录像)[^。]{0,30}(?:在家|在外|离开|别处|餐厅|一直|全程|期间)|证明[^。]{0,20}(?:在|不在)|作证|一直在"
    r"|全程在|当时在|当晚在|整晚|整夜|当时正|不可能|不吻合|不匹配|不符|排除|清白|没有权限|没有钥匙|门禁(?:已"
    r"|被)|骨折|打着石膏|行动不便|轮椅|色盲|左撇子|右撇子"
)
_INCRIMINATING_EN: Final = (
    r"fingerprints?|motives?|debts?|owed?|threat(?:s|en\w*)?|argued|quarrel\w*|angry|grudge|revenge|seen (?:near"
    r"|leaving|entering|at|with|in|running)|matches|match|bought|purchased|lied|lying|weapon"
    r"|blood|key(?:s| ?card)?|access|insur\w+|inherit\w*|will\b|jealous\w*|secret(?:ly)?|hid(?:den|ing)?|deleted"
    r"|nervous\w*|footprints?|dna|fibres?|fibers?|hair|gambl\w+|record|confess\w*|fired|dismissed|alone"
    r"|last (?:person|to)|pawn\w*|sold|deposit\w*|no alibi|false alibi|fake alibi|alibi (?:is|was|turned out to be"
    r"|proved) (?:false|a lie|fake)|disliked|envious|rival|scratches|mud|missing|suspicious\w*|affair|blackmail\w*"
)
_INCRIMINATING_ZH: Final = (
    r"指纹|动机|欠债|债务|负债|欠了|威胁|争吵|吵架|吵过|争执|怨恨|不满|报复|看到(?:他|她)?(?:在|从|进|离开)"
    r"|有人看见|吻合|匹配|购买|买过|撒谎|说谎|凶器|血迹|钥匙|门禁卡|权限|保险|继承|遗产|嫉妒|偷偷|藏|删除|紧张"
    r"|脚印|DNA|毛发|赌|前科|坦白|被开除|独自|一个人|最后(?:一个|离开)|典当|卖掉|存入|可疑|敲诈|伪造的不在场"
    r"|不在场证明是假|泥"
)
_RESTORED: Final = re.compile(
    r"\b(?:re-?opened|repaired|fixed|restored|resolved|lifted|reinstated|renewed|recovered|back in (?:service"
    r"|operation)|rebuilt|has since been|false alarm|unfounded|withdrawn the (?:complaint|claim))\b"
    r"|重新开放|恢复(?!期)|修复|修好|解除|抢通|疏通|已续|续期|误报|不实|虚惊",
    re.IGNORECASE,
)
_TURNED_EN: Final = re.compile(
    r"\b(?:no longer|not(?: been)?|never|isn't|aren't|wasn't|hasn't been|without(?: any)?|no|nor|free (?:of|from)"
    r"|zero|avoids?|unlikely|rather than|instead of|low|little|few)\s(?:(?:a|an|any|the|been|being|yet|at|all|ever"
    r"|known|history of|sign of|signs of|record of|reports? of|risk of|real|major|serious|significant|single|of|or"
    r"|have|had|has)\s){0,4}$",
    re.IGNORECASE,
)
_TURNED_ZH: Final = re.compile(
    r"(?:不再|没有|没|不|未|无|从未|从不|并非|避免|不是|不会|未曾|没有被|没被|未被|零)(?:任何|出现|发生|发现|受|被|过"
    r"|有|太|很|什么|重大|明显|存在){0,2}$"
)


def _word_forms(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


_DECISIVE: Final = _word_forms(_DECISIVE_EN, _DECISIVE_ZH)
_BAD: Final = _word_forms(_BAD_EN, _BAD_ZH)
_GOOD: Final = _word_forms(_GOOD_EN, _GOOD_ZH)
_NOT: Final = _word_forms(_NOT_EN, _NOT_ZH)
_CLEARING: Final = _word_forms(_CLEARING_EN, _CLEARING_ZH)
_INCRIMINATING: Final = _word_forms(_INCRIMINATING_EN, _INCRIMINATING_ZH)


def manner_of(question: str) -> Manner:
    if _CULPRIT.search(question):
        return Manner.CULPRIT
    return Manner.WORST if _WORST.search(question) else Manner.BEST


def weight_of(sentence: str, manner: Manner = Manner.BEST) -> Weight:
    """What a sentence says for (above 0) or against choosing what it is about."""
    if manner is Manner.CULPRIT:
        return _guilt(sentence)
    weight = _quality(sentence)
    if manner is Manner.WORST:
        return Weight(-weight.value, decisive=False)
    return weight


def _guilt(sentence: str) -> Weight:
    clearing = _first(_CLEARING, sentence)
    against = len([*_INCRIMINATING.finditer(sentence)])
    false_alibi = re.search(
        r"false alibi|alibi\b.{0,30}\b(?:false|lie|fake|wrong|broke|fell apart)|no alibi|没有不在场|不在场证明是假"
        r"|伪造.{0,6}不在场",
        sentence,
        re.IGNORECASE,
    )
    if clearing and not false_alibi:
        return Weight(-DECISIVE, decisive=True)
    return Weight(1.0 + 0.5 * min(2, against - 1)) if against or false_alibi else NOTHING


def _first(pattern: re.Pattern[str], sentence: str) -> bool:
    return any(not is_turned(sentence, match.start()) for match in pattern.finditer(sentence))


def is_turned(sentence: str, at: int) -> bool:
    """Whether a negation stands right in front of that place."""
    before = sentence[max(0, at - 48) : at]
    return bool(_TURNED_EN.search(before) or _TURNED_ZH.search(before[-6:]))


def _quality(sentence: str) -> Weight:
    restored = bool(_RESTORED.search(sentence))
    value, turned = 0.0, 0
    decisive = False
    for match in _DECISIVE.finditer(sentence):
        if is_turned(sentence, match.start()):
            turned += 1
        elif not restored:
            decisive = True
    if decisive:
        return Weight(-DECISIVE, decisive=True)
    value += 1.0 * (turned > 0) + 1.0 * restored
    for pattern, sign in ((_BAD, -1.0), (_GOOD, 1.0)):
        for match in [*pattern.finditer(sentence)][:3]:
            value += -0.5 * sign if is_turned(sentence, match.start()) else sign
    if value <= 0 and not turned and _NOT.search(sentence) and not restored:
        return Weight(min(value, 0.0) - 2.0)
    return Weight(max(-2.0, min(2.0, value)))
