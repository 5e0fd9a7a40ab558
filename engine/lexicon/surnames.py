"""The most common Chinese surnames, and how they are written with Latin letters."""

from typing import Final

_LISTED: Final = """
    王wang 李li 张zhang 刘liu 陈chen 杨yang 黄huang 赵zhao 吴wu 周zhou 徐xu 孙sun 马ma 朱zhu 胡hu 郭guo 何he 林lin
    高gao 罗luo 郑zheng 梁liang 谢xie 宋song 唐tang 许xu 韩han 邓deng 冯feng 曹cao 彭peng 曾zeng 肖xiao 田tian
    董dong 潘pan 袁yuan 蔡cai 蒋jiang 余yu 于yu 杜du 叶ye 程cheng 魏wei 苏su 吕lü 丁ding 任ren 卢lu 姚yao 沈shen
    钟zhong 姜jiang 崔cui 谭tan 陆lu 范fan 汪wang 廖liao 石shi 金jin 韦wei 贾jia 夏xia 付fu 方fang 邹zou 熊xiong
    白bai 孟meng 秦qin 邱qiu 侯hou 江jiang 尹yin 薛xue 闫yan 段duan 雷lei 龙long 史shi 陶tao 贺he 毛mao 郝hao 顾gu
    龚gong 邵shao 万wan 覃qin 武wu 钱qian 戴dai 严yan 莫mo 孔kong 向xiang 汤tang 温wen 康kang 施shi 文wen 牛niu
    樊fan 葛ge 邢xing 安an 齐qi 易yi 乔qiao 伍wu 庞pang 颜yan 倪ni 庄zhuang 聂nie 章zhang 鲁lu 岳yue 翟zhai 申shen
    欧ou 耿geng 关guan 兰lan 焦jiao 俞yu 左zuo 柳liu 甘gan 祝zhu 包bao 宁ning 尚shang 符fu 舒shu 阮ruan 柯ke 纪ji
    梅mei 童tong 凌ling 毕bi 单shan 裴pei 霍huo 涂tu 成cheng 苗miao 谷gu 盛sheng 曲qu 翁weng 冉ran 骆luo 蓝lan
    路lu 游you 辛xin 管guan 柴chai 蒙meng 鲍bao 华hua 喻yu 祁qi 蒲pu 房fang 滕teng 屈qu 饶rao 解xie 牟mou 艾ai
    尤you 时shi 穆mu 农nong 司si 卓zhuo 古gu 吉ji 缪miao 简jian 车che 项xiang 连lian 芦lu 麦mai 褚chu 娄lou 窦dou
    戚qi 岑cen 景jing 党dang 宫gong 费fei 卜bu 冷leng 晏yan 席xi 卫wei 米mi 柏bai 宗zong 瞿qu 桂gui 全quan 佟tong
    应ying 臧zang 闵min 苟gou 邬wu 边bian 卞bian 姬ji 师shi 和he 仇qiu 栾luan 隋sui 商shang 刁diao 沙sha 荣rong
    巫wu 寇kou 桑sang 郎lang 甄zhen 丛cong 仲zhong 虞yu 敖ao 巩gong
    """
_SURNAMES: Final = {each[0]: each[1:] for each in _LISTED.split()}


def begins_with_surname(name: str) -> bool:
    return name[:1] in _SURNAMES


def may_be_same_person(one: str, other: str) -> bool:
    """Whether two names, in lower case, may be one person's.

    Across scripts the surname tells. A name that is no Chinese one may be written with characters of the same sound, so
    that its first letter tells.
    """
    if one.isascii() == other.isascii():
        mine, theirs = set(one.split()), set(other.split())
        return one == other or mine <= theirs or theirs <= mine
    han, latin = (other, one) if one.isascii() else (one, other)
    spelled, names = _SURNAMES.get(han[:1], "").replace("ü", "u"), latin.split()
    if not spelled or not names:
        return not spelled
    if any(each in _SPELLED for each in names):
        return spelled in names
    return any(each[0] == spelled[0] for each in names)


_SPELLED: Final = frozenset(_SURNAMES.values())
