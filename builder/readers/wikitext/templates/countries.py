"""Templates named by a country's code, which show its flag and its linked name: `{{FRA}}`."""

from __future__ import annotations

from collections.abc import Callable

from builder.readers.wikitext.links import anchor_to
from builder.readers.wikitext.state import Call, Page

Rule = Callable[[Call, Page], str]

_NAMES = """
afg=Afghanistan|ago ang=Angola|alb=Albania|alg dza=Algeria|and=Andorra|arg=Argentina|arm=Armenia
atg=Antigua and Barbuda|aus=Australia|aut=Austria|aze=Azerbaijan|bah bhs=Bahamas|ban bgd=Bangladesh
bar brb=Barbados|bdi=Burundi|bel=Belgium|ben=Benin|bfa=Burkina Faso|bhr brn=Bahrain|bhu btn=Bhutan
bih=Bosnia and Herzegovina|blr=Belarus|blz=Belize|bol=Bolivia|bot bwa=Botswana|bra=Brazil|bul bgr=Bulgaria
cam khm=Cambodia|can=Canada|cmr=Cameroon|caf=Central African Republic|cha tcd=Chad|chi chl=Chile|chn=China
civ=Ivory Coast|cod=Democratic Republic of the Congo|cog=Republic of the Congo|col=Colombia|com=Comoros
cpv=Cape Verde|crc cri=Costa Rica|cro hrv=Croatia|cub=Cuba|cyp=Cyprus|cze=Czech Republic|den dnk=Denmark
dji=Djibouti|dma=Dominica|dom=Dominican Republic|ecu=Ecuador|egy=Egypt|eng=England|eri=Eritrea
esa slv=El Salvador|esp=Spain|est=Estonia|eth=Ethiopia|eu=European Union|fij fji=Fiji|fin=Finland
fra=France|fro=Faroe Islands|gab=Gabon|gam gmb=The Gambia|gbr=United Kingdom|geo=Georgia (country)
ger deu=Germany|ggy=Guernsey|gha=Ghana|gin=Guinea|gnb=Guinea-Bissau|gnq=Equatorial Guinea|gre grc=Greece
gua gtm=Guatemala|guy=Guyana|hai hti=Haiti|hkg=Hong Kong|hon hnd=Honduras|hun=Hungary|idn=Indonesia
imn iom=Isle of Man|ind=India|iri irn=Iran|irl=Ireland|irq=Iraq|isl=Iceland|isr=Israel|ita=Italy
jam=Jamaica|jey=Jersey|jor=Jordan|jpn=Japan|kaz=Kazakhstan|ken=Kenya|kgz=Kyrgyzstan|kor=South Korea
kos=Kosovo|ksa sau=Saudi Arabia|kuw kwt=Kuwait|lao=Laos|lat lva=Latvia|lbn=Lebanon|lbr=Liberia|lby=Libya
les lso=Lesotho|lie=Liechtenstein|lka sri=Sri Lanka|ltu=Lithuania|lux=Luxembourg|mac=Macau
mad mdg=Madagascar|mar=Morocco|mas mys=Malaysia|maw mwi=Malawi|mda=Moldova|mdv=Maldives|mex=Mexico
mgl mng=Mongolia|mkd=North Macedonia|mli=Mali|mlt=Malta|mne=Montenegro|mon mco=Monaco|moz=Mozambique
mri mus=Mauritius|mrt mtn=Mauritania|mya mmr=Myanmar|nam=Namibia|nca nic=Nicaragua|ned nld=Netherlands
nep npl=Nepal|ner nig=Niger|nga ngr=Nigeria|nir=Northern Ireland|nor=Norway|nzl=New Zealand|omn=Oman
pak=Pakistan|pan=Panama|par pry=Paraguay|per=Peru|phi phl=Philippines|png=Papua New Guinea|pol=Poland
por prt=Portugal|prk=North Korea|pri pur=Puerto Rico|qat=Qatar|rou=Romania|rsa zaf=South Africa|rus=Russia
rwa=Rwanda|sco=Scotland|sen=Senegal|sgp sin=Singapore|sle=Sierra Leone|smr=San Marino|som=Somalia
srb=Serbia|ssd=South Sudan|stp=São Tomé and Príncipe|sud sdn=Sudan|sui che=Switzerland|sur=Suriname
svk=Slovakia|svn slo=Slovenia|swe=Sweden|swz=Eswatini|syr=Syria|tan tza=Tanzania|tga tgo=Togo|tha=Thailand
tjk=Tajikistan|tkm=Turkmenistan|tls=East Timor|tpe twn=Taiwan|tto tri=Trinidad and Tobago|tun=Tunisia
tur=Turkey|uae are=United Arab Emirates|uga=Uganda|uk=United Kingdom|ukr=Ukraine|urs ussr=Soviet Union
uru ury=Uruguay|usa us=United States|uzb=Uzbekistan|vat=Vatican City|ven=Venezuela|vie vnm=Vietnam
wal=Wales|yem=Yemen|yug=Yugoslavia|zam zmb=Zambia|zim zwe=Zimbabwe|gdr=East Germany|frg=West Germany
tch=Czechoslovakia
"""


def _country(name: str) -> Rule:
    return lambda call, page: anchor_to(name, name.partition(" (")[0], page)


RULES: dict[str, Rule] = {
    code: _country(name)
    for entry in _NAMES.replace("\n", "|").split("|")
    if entry
    for codes, _, name in [entry.partition("=")]
    for code in codes.split()
}
