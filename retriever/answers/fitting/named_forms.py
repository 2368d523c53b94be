"""Named forms: what asks for something that is told by its looks alone, and what such an answer looks like."""

from __future__ import annotations

import re

from retriever.answers.text import dates

DAYS = re.compile(r"\b(?:what|which) (?:exact )?(?:day|date|weekday)\b(?! of the (?:month|year)\b)", re.I)
WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
MONTH = "|".join(map(str.capitalize, dates.MONTHS))
DAY = re.compile(rf"\b(?:{MONTH}|{WEEKDAY})")
WEEKDAYS = re.compile(r"\bdays? of the week\b|\b(?:what|which) weekdays?\b", re.I)
CLOCKS = re.compile(r"\b(?:what|which) times?\b(?! (?:period|of|in)\b)|\b(?:opening|visiting) (?:hours|times)\b", re.I)
CLOCK = re.compile(r"\d[:.]\d\d|\d ?[ap]\.?m\b|\bnoon\b|\bmidnight\b|o['’]clock", re.I)
SPANS = re.compile(r"\b(?:what|which) years\b|\bbetween (?:what|which)\b|\bfrom when to when\b", re.I)
SPAN = re.compile(r"\d{3,4}\s?[–-]\s?(?:\d{2,4}\b|present|today)|\d{3,4} (?:to|and|until) \d{3,4}")
TIMES = ((DAYS, DAY), (SPANS, SPAN), (WEEKDAYS, re.compile(WEEKDAY)), (CLOCKS, CLOCK))
"""What asks for a day, a span of years, a day of the week or a time of the day, and what any such answer has in it."""

TELEPHONES = re.compile(
    r"\b(?:(?:tele)?phone|mobile|fax) numbers?\b|^\W*(?:the )?(?:(?:tele)?phone|mobile|fax) (?:of|for)\b"
    r"|^\W*+(?:the )?(?!(?:did|do|does|is|are|was|were|has|had)\b)(?!.*\b(?:how|who|when|where|why|which)\b)"
    r".*\b(?:tele)?phone\W*$"
    r"|\bnumbers? (?:to|do|does|should|must|can|shall|may) (?:\w+ ){0,2}(?:ring|call|dial|phone)\b", re.I)  # fmt: skip
TELEPHONE = re.compile(r"(?!\d{4}\s?[–-]\s?\d{4}$)\+?\(?\d(?:[ ()/-]?\d){4,}")
EMERGENCY = re.compile(r"(?!(?:1[5-9]|20)\d\d$)\d{3,4}")
"""What may be a telephone number: five digits and more, no span of years; else a short one that is no year."""

EXTENSIONS = re.compile(
    r"^\W*(?:the )?extension (?:of|for)\b|\b(?:phone|telephone) extension\b|\bextension number\b", re.I
)
EXTENSION = re.compile(r"\d{2,5}")
MAIL = re.compile(r"^\W*(?:the )?e-?mail (?:of|for)\b|\be-?mail address", re.I)
MAIL_ADDRESS = re.compile(r"\S+@\S+")
BODY = "arm|leg|hand|foot|eye|ear|knee|shoulder|wrist|ankle"
SIDES = re.compile(rf"\b(?:which|what) (?:{BODY})(?= (?:is|was|did|does|do|had|has|of|were|are)\b)", re.I)
SIDE = re.compile(rf"(?:(?:the|his|her|its|their) )?(?:left|right)(?: (?:{BODY}))?(?: \w+)?", re.I)
CONTACTS = (
    (TELEPHONES, TELEPHONE.fullmatch), (EXTENSIONS, EXTENSION.fullmatch), (MAIL, MAIL_ADDRESS.fullmatch),
)  # fmt: skip
DIRECTIONS = re.compile(
    r"\bwhich (?:way|direction)\b|\bwhat direction\b|\bdirection (?:of|in which|is|does|did|do)\b", re.I
)
COMPASS = r"(?:due )?(?:north|south|east|west)(?:[ -]?(?:north|south|east|west)){0,2}"
DIRECTION = re.compile(
    rf"(?:(?:to|towards?|from|in|the|an?) ){{0,3}}(?:(?:anti|counter)?[ -]?clockwise"
    rf"|{COMPASS}(?:wards?|erly|ern|bound)?|left|right|(?:up|down|in|out|back|for|sea)wards?"
    r"|uphill|downhill|upstream|downstream|inland)"
    r"(?:[ -](?:direction|motion|side|hand))?(?: to (?:the )?\S+)?", re.I)  # fmt: skip
ANGLES = re.compile(
    r"\b(?:what|which) angles?\b|\bwhat (?:is|are|was|were) the (?:\w+ )?angles?\b|\bangles? (?:is|does|did)\b"
    r"|\bangle of\W*$|\bhow (?:many degrees|steep)\b", re.I)  # fmt: skip
ANGLE = re.compile(r".*\d ?(?:°|degrees?\b)(?! ?[CF]\b| (?:celsius|fahrenheit|centigrade)).*", re.I | re.S)
SHAPES = re.compile(r"\bwhat shape\b|\bshapes? of\b|\bshape (?:is|are|was|were|does|did|do|has|have|had)\b", re.I)
SHAPE = re.compile(
    r"(?:[\w’'-]+ ){0,3}(?:[\w-]+(?:-| like )?shaped?|shaped like .+|circ(?:le|ular)|round(?:ed)?|ellip\w+|oval|oblong"
    r"|spher\w+|square|rectang\w+|triang\w+|(?:penta|hexa|hepta|octa|poly)gon(?:al)?|cylind\w+|conical|cub(?:e|ic)"
    r"|pyramid\w*|dome[sd]?|crescents?|spiral|helix|curved?|straight|flat|trapez\w+|irregular)(?:[ -][\w-]+)?", re.I,
)  # fmt: skip
COLOURS = re.compile(
    r"\b(?:what|which) colou?rs?\b|\bcolou?rs? of\b|\bcolou?r (?:is|are|was|were|does|did|do|has|have|had)\b", re.I
)
HUE = (
    "(?:(?:red|orange|yellow|green|blue|violet|purple|pink|brown|black|white|gr[ae]y)(?:d?ish|y)?|indigo|silver(?:y)?"
    "|gold(?:en)?|crimson|scarlet|maroon|turquoise|teal|cyan|magenta|beige|cream|ivory|tan|amber|olive|navy|ochre|copper"
    "|bronze|lilac|mauve|lavender|emerald|azure|vermilion|russet|buff|khaki|colou?rless|transparent)"
)
COLOUR = re.compile(rf"(?:[\w-]+ )??(?:[\w-]+[ -])?{HUE}(?:(?:,? (?:and|or|with|to) |, |[ -]){HUE})*(?: [\w-]+)?", re.I)
POSITIONS = re.compile(r"\b(?:what|which) (?:[a-z]+ )?position (?:did|does|do)\b.*\bplay", re.I)
POSITION = re.compile(
    r"(?:[\w-]+ ){0,3}(?:goal-?(?:keeper|tender)|defend(?:er|[cs]e(?:man)?)|mid-?field(?:er)?|forward|striker"
    r"|wing(?:er)?|(?:full|half|quarter|running|corner|line|wing|tail|centre|center)-?[ ]?back|cent(?:re|er)|guard"
    r"|receiver|tight end|safety|tackle|punter|kicker|pitcher|catcher|baseman|shortstop|fielder|hitter|hooker|prop|lock"
    r"|flanker|number eight|scrum-half|fly-half|batsman|bowler|wicket-?keeper|setter|libero|point|sweeper"
    r"|playmaker)s?", re.I,
)  # fmt: skip
GENRES = re.compile(
    r"\b(?:what|which) (?:music(?:al)? )?(?:genres?|(?:kind|type|style)s? of music)"
    r"(?= (?:of|does|do|did|is|was|are|were)\b)|\bgenres? of\W*$", re.I,
)
GENRE = re.compile(
    r"(?:[\w-]+[ -]){0,3}(?:rock|pop|jazz|blues|folk|metal|punk|hip[- ]hop|rap|soul|funk|country|reggae|electronic"
    r"|dance|techno|house|trance|disco|R&B|indie|alternative|classical|opera|gospel|ska|grunge|ambient|emo|hardcore|swing|bop"
    r"|comedy|drama|thriller|horror|science fiction|fantasy|romance|western|musical|documentary|mystery|noir|novels?"
    r"|poetry|fiction)(?: (?:music|rock|pop|film|drama|comedy|novels?|fiction))?"
    r"(?P<who> (?:group|band|duo|trio|act|singer|artist|musician|album|song))?", re.I,
)  # fmt: skip
VERSIONS = re.compile(r"\b(?:what|which) (?:version|release)\b(?! of (?:the|an?|this|that|his|her|its) )", re.I)
VERSION = re.compile(
    r"(?:(?:version|release|v)[ .]?)?\d+(?:\.\d+){1,3}(?:[-.]?[a-z]+\d*)?|(?:version|release) \d+\w*", re.I
)
PORTS = re.compile(
    r"\bdefault port\b|\bport numbers?\b|\b(?:tcp|udp|ip|network) port\b|\b(?:what|which) port (?:is|does|do) .*"
    r"\b(?:listens?|uses?|used|runs?|binds?|open(?:ed)?)\b", re.I,
)
PORT = re.compile(r"(?:(?:tcp|udp)[ /]?)?(?:port )?\d{2,5}(?:/(?:tcp|udp))?", re.I)
NAMED_FORMS = (
    *CONTACTS, (SIDES, SIDE.fullmatch), (DIRECTIONS, DIRECTION.fullmatch), (ANGLES, ANGLE.fullmatch),
    (SHAPES, SHAPE.fullmatch), (COLOURS, COLOUR.fullmatch), (POSITIONS, POSITION.fullmatch),
    (GENRES, GENRE.fullmatch), (VERSIONS, VERSION.fullmatch), (PORTS, PORT.fullmatch),
)  # fmt: skip
"""What asks for something that is told by its looks, and what tells whether a candidate is so."""

PHONE_FIRST = re.compile(r"^\W*(?:tele)?phone\b(?! (?:box|booth|line|call|model)\b)[^?]*$", re.I)
"""A phrase that begins so mostly asks for a number, but may ask for what a telephone is."""
