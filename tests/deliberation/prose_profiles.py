"""Hidden profiles in prose: a situation and a question, what everybody knows, what only one knows, and what is right.

What is shared speaks for a wrong answer; what is hidden rules out the others. They were written without a look at the
words that the offline model reads by. How it did at first, and afterwards, is in test_prose_profiles.py.
"""

from typing import Final, NamedTuple


class Profile(NamedTuple):
    name: str
    situation: str
    question: str
    options: tuple[str, ...]
    shared: tuple[str, ...]
    hidden: tuple[str, ...]
    right: str


FIRST: Final = (
    Profile(
        "evacuation",
        "A wildfire is moving towards the village of Ashford, and 300 residents have to be brought to safety tonight.",
        "Where should the residents be taken?",
        ("Cedar High School", "Lakeside Arena", "Harbour Warehouse"),
        (
            "Cedar High School is only ten minutes away and has a kitchen and showers.",
            "Lakeside Arena is a modern hall with heating and plenty of parking.",
            "Harbour Warehouse is old, draughty and forty minutes away.",
            "The residents know Cedar High School well.",
        ),
        (
            "The only road to Cedar High School runs through the valley, which the fire reached an hour ago.",
            "The roof of Lakeside Arena was declared unsafe after last week's storm.",
            "Harbour Warehouse has been cleared out and can take up to 500 people.",
            "The Red Cross has stored blankets and field beds in Harbour Warehouse.",
        ),
        "Harbour Warehouse",
    ),
    Profile(
        "hiring",
        "The clinic needs a new head nurse for the night ward from January on.",
        "Which candidate should be hired?",
        ("Dana Whitlock", "Priya Menon", "Tomas Berg"),
        (
            "Dana Whitlock has fifteen years of experience and brilliant references.",
            "Priya Menon is liked by everybody on the ward and speaks four languages.",
            "Tomas Berg was quiet in the interview and has worked as head nurse for two years only.",
            "Dana Whitlock made the best impression on the board.",
        ),
        (
            "Dana Whitlock told a colleague that she does not do night shifts any more.",
            "Priya Menon has signed a contract with another hospital last Friday.",
            "Tomas Berg reorganised a night ward in his last job and sick leave fell by half.",
            "Former colleagues of Tomas Berg would follow him anywhere.",
        ),
        "Tomas Berg",
    ),
    Profile(
        "diagnosis",
        "A 34-year-old man came in with fever, headache and a rash after a holiday.",
        "Which illness does he most likely have?",
        ("Dengue fever", "Measles", "Lyme disease"),
        (
            "Dengue fever is common where he spent his holiday.",
            "The rash and the high fever fit dengue fever well.",
            "Measles has become rare in this region.",
            "Lyme disease can cause fever and headache too.",
        ),
        (
            "The blood test for dengue came back negative twice.",
            "He was never vaccinated against measles, and white spots were found inside his cheeks.",
            "He stayed in a hotel in the city centre the whole time and has no tick bite.",
            "A child in the same hotel fell ill with measles.",
        ),
        "Measles",
    ),
    Profile(
        "supplier",
        "A maker of bicycles needs 2,000 brake sets by the end of March.",
        "Which supplier should get the order?",
        ("Norvik", "Castello", "Hanbo"),
        (
            "Norvik has the lowest price and has delivered to us before.",
            "Castello is known for excellent quality.",
            "Hanbo is 12 percent more expensive than the others.",
            "Norvik offers generous terms of payment.",
        ),
        (
            "Norvik's last series was recalled because the cables tore.",
            "Castello can only make 800 sets a month, and the next two months are sold.",
            "Hanbo has 3,000 sets in its warehouse and delivers within a week.",
            "An audit of Hanbo's factory found no faults.",
        ),
        "Hanbo",
    ),
    Profile(
        "theft",
        "A painting disappeared from the gallery between 9 and 10 pm on Saturday.",
        "Who took the painting?",
        ("Mr. Aldous", "Ms. Breen", "Mr. Cole"),
        (
            "Mr. Aldous has large gambling debts and was seen near the gallery that afternoon.",
            "Ms. Breen had an argument with the owner about the painting.",
            "Mr. Cole is a respected restorer who has worked there for years.",
            "Mr. Aldous once said that nobody would miss the painting.",
        ),
        (
            "Mr. Aldous was on stage in the city theatre from 8 to 11 pm, in front of four hundred people.",
            "Ms. Breen's train left for Vienna at 7 pm and she was checked on board at 9:30 pm.",
            "The alarm was switched off with Mr. Cole's personal code at 9:12 pm.",
            "A dealer was offered the painting by a man with the stained fingers of a restorer.",
        ),
        "Mr. Cole",
    ),
    Profile(
        "site",
        "A bakery chain is looking for a site for its new central kitchen, which needs gas and a loading bay.",
        "Which site should it rent?",
        ("Mill Lane", "Station Square", "Quarry Road"),
        (
            "Mill Lane is cheap and close to most of the shops.",
            "Station Square has large windows and is easy to reach.",
            "Quarry Road lies at the edge of town and looks shabby.",
            "The manager likes Mill Lane best.",
        ),
        (
            "The city will tear down the building in Mill Lane next summer.",
            "There is no gas line at Station Square, and the landlord refuses to lay one.",
            "Quarry Road has gas, two loading bays and a cold store.",
            "The landlord of Quarry Road pays for the painting.",
        ),
        "Quarry Road",
    ),
    Profile(
        "rescue route",
        "Two climbers are stuck at the hut on the ridge, and one of them is hurt. The rescue team carries a stretcher.",
        "Which route should the rescue team take?",
        ("the North Gully", "the Glacier Path", "the Forest Track"),
        (
            "The North Gully is the shortest way to the hut.",
            "The Glacier Path is marked and most guides prefer it.",
            "The Forest Track takes three hours longer than the others.",
            "The team has climbed the North Gully in training.",
        ),
        (
            "A rockslide came down in the North Gully this morning.",
            "The snow bridges on the Glacier Path have melted away.",
            "A ranger drove up the Forest Track with a quad bike yesterday and found it dry.",
            "The Forest Track is wide enough for a stretcher.",
        ),
        "the Forest Track",
    ),
    Profile(
        "software",
        "A school wants a tool for its timetable that teachers can use from September on; pupils' data must stay"
        " in the country.",
        "Which tool should the school buy?",
        ("ClassPilot", "TimeWeaver", "Gridly"),
        (
            "ClassPilot has the best reviews and a free trial.",
            "TimeWeaver looks beautiful and has an app.",
            "Gridly looks old-fashioned and costs more.",
            "Most neighbouring schools use ClassPilot.",
        ),
        (
            "ClassPilot stores all of its data abroad.",
            "The company behind TimeWeaver stops the product in August.",
            "Gridly runs on the school's own server.",
            "Teachers who tried Gridly needed only an hour to learn it.",
        ),
        "Gridly",
    ),
    Profile(
        "疏散",
        "洪水即将到达柳河镇，今晚要把两百名居民转移到安全的地方。",
        "应该把居民转移到哪里？",
        ("镇中学", "体育馆", "山顶寺庙"),
        (
            "镇中学离居民区最近，有食堂和宿舍。",
            "体育馆空间很大，去年刚装修过。",
            "山顶寺庙又小又旧，路也比较远。",
            "居民们都熟悉镇中学。",
        ),
        (
            "镇中学的地势比河堤还低两米，一楼下午已经进水。",
            "去体育馆必经的石桥今天中午被冲断了。",
            "山顶寺庙旁边新建了一座会堂，能住三百人。",
            "通往山顶寺庙的公路一直畅通。",
        ),
        "山顶寺庙",
    ),
    Profile(
        "招聘",
        "公司要招一名财务主管，下个月就要负责年度审计。",
        "应该录用哪位候选人？",
        ("陈立", "王敏", "赵航"),
        (
            "陈立毕业于名校，面试表现最好。",
            "王敏有十年经验，性格开朗。",
            "赵航学历一般，面试时有些紧张。",
            "部门经理很欣赏陈立。",
        ),
        (
            "陈立简历上的注册会计师证书查不到编号。",
            "王敏要到明年六月才能从现在的单位离职。",
            "赵航独立负责过三次年度审计，都一次通过。",
            "赵航的前任领导愿意为他担保。",
        ),
        "赵航",
    ),
    Profile(
        "选址",
        "一家幼儿园要选新的园址，必须有户外场地，而且不能靠近污染源。",
        "应该选哪个地点？",
        ("滨江路", "文化街", "北苑"),
        (
            "滨江路交通方便，租金最低。",
            "文化街周围环境优美，家长很喜欢。",
            "北苑位置偏僻，楼也有些旧。",
            "园长最看好滨江路。",
        ),
        (
            "滨江路隔壁正在建一座化工仓库。",
            "文化街那栋楼没有户外场地。",
            "北苑有八百平方米的操场。",
            "政府计划明年把地铁通到北苑。",
        ),
        "北苑",
    ),
    Profile(
        "诊断",
        "一位中年女士近一个月消瘦、心慌、手抖。",
        "她最可能得了什么病？",
        ("焦虑症", "甲亢", "糖尿病"),
        (
            "她最近工作压力很大，睡不好，很像焦虑症。",
            "她的母亲有糖尿病。",
            "她说自己总是很紧张。",
            "甲亢在这个年龄的体检里不多见。",
        ),
        (
            "心理科评估后认为不是焦虑症。",
            "她的血糖和糖化血红蛋白都在正常范围。",
            "她的甲状腺激素是正常值的三倍。",
            "医生摸到她的甲状腺肿大，符合甲亢。",
        ),
        "甲亢",
    ),
    Profile(
        "失窃",
        "上周五晚上八点到九点之间，实验室的一块贵重金属不见了。",
        "是谁拿走的？",
        ("老周", "小吴", "阿琳"),
        (
            "老周最近欠了不少钱，那天下午还在实验室附近转悠。",
            "小吴和主任吵过架。",
            "阿琳工作认真，大家都信任她。",
            "老周知道金属放在哪个柜子里。",
        ),
        (
            "老周那天晚上七点到十点一直在医院陪床，护士可以作证。",
            "小吴八点在外地参加婚礼，有照片为证。",
            "阿琳的门禁卡在八点二十分打开过实验室。",
            "有人看见阿琳提着一个很重的包离开。",
        ),
        "阿琳",
    ),
    Profile(
        "供应商",
        "食堂要换一家蔬菜供应商，每天需要五百公斤，早上六点前送到。",
        "应该选哪家？",
        ("绿源", "丰禾", "大田"),
        (
            "绿源价格最低，还送赠品。",
            "丰禾名气大，很多学校都用。",
            "大田是家小公司，价格略高。",
            "校长认识绿源的老板。",
        ),
        (
            "绿源上个月被查出农药残留超标。",
            "丰禾最早只能七点半送货。",
            "大田每天能供八百公斤，五点半就能送到。",
            "用过大田的两家食堂都很满意。",
        ),
        "大田",
    ),
    Profile(
        "路线",
        "运送疫苗的车队要在明天中午前赶到高原上的医院，车上装着怕颠簸的冷藏箱。",
        "车队应该走哪条路线？",
        ("国道", "河谷公路", "老盘山路"),
        (
            "国道最快，司机们都走过。",
            "河谷公路风景好，路面平整。",
            "老盘山路要多绕六十公里。",
            "地图上推荐走国道。",
        ),
        (
            "国道昨晚发生塌方，预计三天后才能抢通。",
            "河谷公路上的一座桥限重五吨，车队的车每辆八吨。",
            "老盘山路上周刚铺了新的沥青。",
            "沿老盘山路有两个可以给冷藏箱充电的服务区。",
        ),
        "老盘山路",
    ),
)
"""Written first."""

SECOND: Final = (
    Profile(
        "shelter",
        "A ship with 90 sailors on board is damaged and has to reach a harbour before the storm tonight. It has a"
        " draught of six metres.",
        "Which harbour should the ship head for?",
        ("Port Clement", "Saint Brae", "Old Dunmore"),
        (
            "Port Clement is the closest harbour and has a good shipyard.",
            "Saint Brae has a hospital and the captain grew up there.",
            "Old Dunmore is small and fifteen miles farther on.",
            "The insurer recommends Port Clement.",
        ),
        (
            "A freighter ran aground across the entrance of Port Clement this afternoon.",
            "The basin of Saint Brae is only four metres deep.",
            "Old Dunmore was dredged to nine metres in spring.",
            "Two tugs are waiting at Old Dunmore.",
        ),
        "Old Dunmore",
    ),
    Profile(
        "caterer",
        "A company party for 120 guests takes place on 14 June; several guests have a nut allergy.",
        "Which caterer should be booked?",
        ("Bella Tavola", "Green Fork", "Hansen & Sons"),
        (
            "Bella Tavola cooked for last year's party and everybody loved it.",
            "Green Fork is the cheapest and very creative.",
            "Hansen & Sons has a boring menu.",
            "The director is a friend of the owner of Bella Tavola.",
        ),
        (
            "Bella Tavola is closed for holidays in the first three weeks of June.",
            "Green Fork cooks everything in peanut oil and can't change that.",
            "Hansen & Sons has a separate kitchen without nuts.",
            "Hansen & Sons still has 14 June free.",
        ),
        "Hansen & Sons",
    ),
    Profile(
        "acquisition",
        "A chain of pharmacies wants to buy one of three start-ups to get an app for prescriptions.",
        "Which start-up should it buy?",
        ("MediQuick", "PillPal", "RxNow"),
        (
            "MediQuick has two million users and a famous founder.",
            "PillPal won a prize for its design.",
            "RxNow has only a few thousand users and an ugly app.",
            "The newspapers write about MediQuick all the time.",
        ),
        (
            "MediQuick's permission to handle prescriptions ran out and was not renewed.",
            "The developers of PillPal all left in spring, and nobody understands the code.",
            "RxNow's app is certified and connected to every insurer.",
            "RxNow makes a profit.",
        ),
        "RxNow",
    ),
    Profile(
        "leak",
        "On Tuesday night, between 10 and 11 pm, somebody sent the secret recipe to a competitor from an office"
        " computer.",
        "Who leaked the recipe?",
        ("Rosa", "Victor", "Hugh"),
        (
            "Rosa was passed over for promotion and said she would make them pay.",
            "Victor has just bought an expensive car.",
            "Hugh has been with the company for thirty years and is everybody's friend.",
            "Rosa knows the recipe by heart.",
        ),
        (
            "Rosa was giving birth in the city hospital on Tuesday night.",
            "Victor was locked out of the building on Tuesday because his badge had been blocked on Monday.",
            "Hugh's password was used on the computer at 10:40 pm.",
            "The competitor transferred money to Hugh's wife last week.",
        ),
        "Hugh",
    ),
    Profile(
        "hospital bed",
        "A patient with a burst aorta has to be operated on within two hours. The helicopter is ready.",
        "Which hospital should the helicopter fly to?",
        ("University Hospital", "St. Mary's", "Northgate Clinic"),
        (
            "University Hospital has the most famous surgeons in the country.",
            "St. Mary's is the nearest hospital.",
            "Northgate Clinic is a small private clinic.",
            "The family asks for University Hospital.",
        ),
        (
            "All operating theatres of University Hospital are occupied until tomorrow morning.",
            "St. Mary's has no heart surgeon on duty tonight.",
            "Northgate Clinic has a heart team that is on call this night.",
            "The landing pad of Northgate Clinic is free.",
        ),
        "Northgate Clinic",
    ),
    Profile(
        "crop",
        "A farm on the dry plateau wants to plant a new crop this spring; the soil is salty.",
        "Which crop should the farm plant?",
        ("Maize", "Soybeans", "Quinoa"),
        (
            "Maize brings the highest price this year.",
            "Soybeans need little fertiliser and the neighbours grow them.",
            "Quinoa is unknown in the region.",
            "The farmer has grown maize all his life.",
        ),
        (
            "Maize would need twice the water that the well can give.",
            "Soybeans wither on salty soil.",
            "Quinoa grows well on salty soil and with little rain.",
            "A mill in town buys any amount of quinoa.",
        ),
        "Quinoa",
    ),
    Profile(
        "bridge",
        "A town of 8,000 needs a footbridge over the river before the school year begins in September.",
        "Which of the three designs should be built?",
        ("the arch", "the cable bridge", "the timber bridge"),
        (
            "The arch won the vote of the citizens.",
            "The cable bridge is elegant and the mayor likes it.",
            "The timber bridge looks plain.",
            "An arch would make the town known.",
        ),
        (
            "The arch takes eighteen months to build.",
            "The steel ropes for the cable bridge cannot be delivered this year.",
            "The parts of the timber bridge are ready at a sawmill nearby.",
            "The timber bridge can be put up in six weeks.",
        ),
        "the timber bridge",
    ),
    Profile(
        "speaker",
        "The annual congress needs a main speaker on 3 May who can talk about batteries, in English.",
        "Who should be invited?",
        ("Professor Lindt", "Dr. Okafor", "Ms. Tanaka"),
        (
            "Professor Lindt has won a Nobel prize.",
            "Dr. Okafor is a brilliant entertainer.",
            "Ms. Tanaka is young and little known.",
            "The committee dreams of Professor Lindt.",
        ),
        (
            "Professor Lindt broke a leg and will stay in a clinic until the end of May.",
            "Dr. Okafor has switched fields and knows nothing about batteries.",
            "Ms. Tanaka leads the largest battery laboratory in Asia.",
            "Ms. Tanaka is in town on 3 May anyway.",
        ),
        "Ms. Tanaka",
    ),
    Profile(
        "办公室",
        "一家六十人的设计公司要租新办公室，月租不能超过八万元，三月一日必须入住。",
        "应该租哪一处？",
        ("金融大厦", "创意园", "东港楼"),
        (
            "金融大厦地段最好，景色也漂亮。",
            "创意园气氛年轻，员工们很向往。",
            "东港楼外观普通，周围比较冷清。",
            "老板第一眼就看中了金融大厦。",
        ),
        (
            "金融大厦的月租从二月起涨到十一万元。",
            "创意园那一层要到五月才能装修完。",
            "东港楼可以坐八十人，月租六万元。",
            "东港楼随时可以入住。",
        ),
        "东港楼",
    ),
    Profile(
        "教练",
        "少年游泳队要请一位新教练，每天早晨训练，家长要求教练持有救生证。",
        "应该请谁当教练？",
        ("刘强", "孙悦", "何平"),
        (
            "刘强拿过全国冠军，孩子们崇拜他。",
            "孙悦很有耐心，家长都喜欢她。",
            "何平不爱说话，名气不大。",
            "校长最希望请到刘强。",
        ),
        (
            "刘强因为使用禁药被终身禁赛。",
            "孙悦每天早晨要照顾生病的父亲，来不了。",
            "何平有救生证，还带出过三名省队队员。",
            "何平家就在泳池旁边。",
        ),
        "何平",
    ),
    Profile(
        "仓库火灾",
        "周日凌晨两点左右，仓库被人故意放火。",
        "放火的人是谁？",
        ("马东", "林芳", "郑凯"),
        (
            "马东刚被开除，还扬言要报复。",
            "林芳买了高额的保险。",
            "郑凯是值班经理，工作一向负责。",
            "马东有仓库的旧钥匙。",
        ),
        (
            "马东周六晚上酒后驾车被拘留，周日中午才放出来。",
            "林芳周日凌晨正在飞往新加坡的航班上。",
            "加油站的监控拍到郑凯凌晨一点买了两桶汽油。",
            "郑凯欠了一大笔赌债。",
        ),
        "郑凯",
    ),
    Profile(
        "旅行",
        "十二位老人要出去旅行五天，其中三位坐轮椅，一位有心脏病。",
        "应该去哪里？",
        ("西藏", "黄山", "扬州"),
        (
            "西藏是大家一直向往的地方。",
            "黄山风景壮丽，价格优惠。",
            "扬州离得太近，不少人去过。",
            "老人们投票时西藏得票最多。",
        ),
        (
            "医生不允许有心脏病的老人去海拔高的西藏。",
            "黄山的缆车正在检修，轮椅上不了山。",
            "扬州的景点都有无障碍通道。",
            "扬州的宾馆离医院只有五分钟。",
        ),
        "扬州",
    ),
    Profile(
        "数据库",
        "银行要为新的支付系统选一个数据库，每秒要处理五万笔交易，而且要有中文技术支持。",
        "应该选哪个数据库？",
        ("NovaDB", "StarBase", "磐石"),
        (
            "NovaDB在国外很流行，文档齐全。",
            "StarBase界面友好，开发人员喜欢。",
            "磐石用的人少，界面老旧。",
            "技术总监用过NovaDB。",
        ),
        (
            "NovaDB没有中文技术支持，将来也不打算提供。",
            "StarBase在压力测试里每秒只能处理八千笔交易。",
            "磐石在压力测试里每秒处理了九万笔交易。",
            "磐石的工程师可以驻场。",
        ),
        "磐石",
    ),
    Profile(
        "头痛",
        "一位老人突然剧烈头痛、呕吐，颈部僵硬，没有发烧。",
        "他最可能得了什么病？",
        ("偏头痛", "脑膜炎", "蛛网膜下腔出血"),
        (
            "他年轻时有偏头痛，这次也畏光。",
            "颈部僵硬常见于脑膜炎。",
            "蛛网膜下腔出血比较少见。",
            "家人都觉得是偏头痛。",
        ),
        (
            "他说这次的头痛和以前的偏头痛完全不一样，止痛药也无效。",
            "脑脊液里没有找到细菌，白细胞也正常，脑膜炎可以排除。",
            "CT显示脑底部有高密度影，符合蛛网膜下腔出血。",
            "他的血压在发病时达到二百二。",
        ),
        "蛛网膜下腔出血",
    ),
    Profile(
        "救援船",
        "大风天里，十五名渔民困在外海的礁石上，需要派船去救。",
        "应该派哪条船？",
        ("飞鱼号", "海鸥号", "老黄牛号"),
        (
            "飞鱼号速度最快，船长经验丰富。",
            "海鸥号是新船，设备先进。",
            "老黄牛号又慢又旧。",
            "渔民的家属要求派飞鱼号。",
        ),
        (
            "飞鱼号的发动机昨天烧坏了。",
            "海鸥号最多只能载八个人。",
            "老黄牛号能抗十级大风，可以载三十人。",
            "老黄牛号就停在离礁石最近的码头。",
        ),
        "老黄牛号",
    ),
)
"""Written after the first set had been used."""
