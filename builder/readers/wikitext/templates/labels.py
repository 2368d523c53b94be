"""What infoboxes call their rows: labels unlike the parameter's name, pairs, and what is not shown."""

from __future__ import annotations

LABELS = {
    key.strip(): label
    for label, keys in (
        line.split(" = ")
        for line in """
Born = birth name|birth date|birth place|born|birthdate|birthplace|date of birth|place of birth
Died = death date|death place|death cause|died|deathdate|deathplace|date of death|place of death
Alma mater = alma mater|alma_mater|education alma
Notable works = notableworks
Known for = known for
Years active = years active|yearsactive
Field = field|fields|work field
Institutions = workplaces|work institution|work institutions|institution|institutions
Occupation = occupation|occupations
Awards = awards|prizes
Notable students = notable students
Doctoral advisor = doctoral advisor
Spouse = spouse|spouses
Children = children
Website = website|url|homepage
Country = country|subdivision country
Preceded by = predecessor|preceded by
Succeeded by = successor|succeeded by
Party = party|political party
Term = term|term start|years
Office = office
Population = population total|population|population estimate|population census
Population as of = population as of|population date|population census year|population estimate year
Area = area total km2|area km2|area total|area
Elevation = elevation m|elevation|elevation ft|elev
Capital = capital
Largest city = largest city
Official language = official languages|official language
Government = government type|government
Established = established date1|established date|established
Founded = founded|foundation|founded date|formation
Length = length|length km|length mi
Basin size = basin size|watershed|basin size km2
Average discharge = discharge1 avg|discharge|average discharge
Source = source1 location|source1|source|source name
Source elevation = source1 elevation|source elevation
Mouth = mouth location|mouth
Left tributaries = tributaries left
Right tributaries = tributaries right
Primary inflows = inflow
Primary outflows = outflow
Max. depth = max depth|max depth m
Average depth = depth
Surface elevation = surface elevation
Surface area = surface area|area lake
Settlements = cities settlements
Highest point = highest|highest point|highest mount
Total length = total length
Line length = line length|linelength
Maximum gradient = max gradient|maxincline
First ascent = first ascent
Easiest route = easiest route|normal route
Publication date = release date|pub date|publication date
Kingdom = regnum
Phylum = phylum
Class = classis|class
Order = ordo
Family = familia
Genus = genus
Species = species
Headquarters = headquarters|hq location|location city
Employees = num employees|employees
Members = membership|members|num members
Key people = key people
Written by = writer|written by
Directed by = director|directed by
Produced by = producer|produced by
Starring = starring
Music by = music|music by
Cinematography = cinematography
Distributed by = distributor
Running time = runtime|running time
Box office = gross|box office
Premiere = premiere|premiere date
Place premiered = premiere location|place premiered
Librettist = librettist
Type = type|lake type|settlement type
Motto = motto|mottoes
Time zone = timezone|timezone1
Postal code = postal code
Area code = area code
Subsidiaries = subsid
Number of locations = num locations
Released = released
Edited by = editing
"""[1:-1].split("\n")
    )
    for key in keys.split("|")
}

# The parameter that names the row of another, both with the same number.
PAIRS = {
    "data": "label", "subdivision": "subdivision ranks",
    "leader name": "leader title", "subdivision name": "subdivision type",
    "blank info": "blank name", "established date": "established title",
    "established event date": "established event", "free": "free label",
    "population blank": "population blank title", "p": "p label", "blank data": "blank label",
    "parts": "parts type", "seat": "seat type", "government data": "government label",
    "date event": "event", "custom data": "custom label", "demographics1 info": "demographics1 title",
    "demographics2 info": "demographics2 title", "stat data": "stat label",
    "blank info sec": "blank name sec", "demographics info": "demographics title",
    "custom value": "custom field", "donnée": "libellé", "namedata": "blankname",
}  # fmt: skip

_SILENT = """
    image|image name|image file|image size|imagesize|image width|image alt|alt|alttext|map|map image
    |mapsize|map size|map alt|map width|map caption|pushpin map|pushpin label position|pushpin mapsize
    |pushpin map alt|pushpin label|pushpin map narrow|pushpin relief|pushpin map caption notsmall
    |image skyline|image flag|image seal|image shield|image map|image map size|flag size|seal size
    |image coat|symbol|symbol type|flag|flag alt|coa|coa size|logo|logo size|logo alt|logo width|signature
    |signature alt|signature size|embed|child|module|module2|color|colour|background|bgcolor|textcolor
    |footnotes|note|notes|ref|refs|references|population footnotes|area footnotes|elevation footnotes
    |leader title|subdivision type|blank name|established title|established event|free label|coor pinpoint
    |coordinates|coord|coordinates type|coordinates region|coordinates display|coordinates footnotes|latd
    |latm|lats|latns|longd|longm|longs|longew|lat d|lat m|lat s|lat ns|long d|long m|long s|long ew
    |lat deg|lat min|lat sec|lon deg|lon min|lon sec|lat dir|lon dir|latitude|longitude|native name lang
    |native lang|nativename lang|unit pref|dim|dim location|zoom|mapframe|mapframe zoom|mapframe wikidata
    |mapframe marker|mapframe frame width|mapframe frame height|onlysourced|fetchwikidata|suppressfields
    |noicon|italic title|italics|bodyclass|bodystyle|abovestyle|headerstyle|labelstyle|datastyle
    |titlestyle|imagestyle|captionstyle|belowstyle|above class|data class|class style|rowclass|position
    |status ref|status system|status2 system|trend|range map|range map caption|range map width
    |range map alt|range map2|hide
    |display parents|show medals|medaltemplates expand|seriesno|blank name sec|blank label
    |parts type|parts style|seat type|dst|utc offset|utc offset dst|utc offset1|utc offset1 dst|zone
    |regional scenes|autocat|wikidata|qid|commons|box width|boxwidth|image2|image3|image upright|upright
    |sound|audio|landscape|smallimage|caption align|honorific prefix lang|state of|iso code
    |population blank title|government label|custom label|stat label|population rank ref|area rank ref
    |date format|df|lang|image sup|extra style|section|seen|imagedeux|cover|cover size|border|small
    |module1|module3|photo|photo size|photo alt|photo width|bild|bildgröße|immagine|imagen|tamaño
    |afbeelding|картинка|изображение|libellé|map type|coords|map dot label|width px|symbol type article
    |alt flag|alt coat|flag type|flag width|other symbol|national anthem file|source1 coordinates
    |mouth coordinates|source coordinates|pcupdate|clubupdate|ntupdate|nationalteam update|pattern la
    |pattern b|pattern ra|pattern sh|pattern so|leftarm|body|rightarm|shorts|socks|p flag|s flag|flag p
    |flag s|type style|layout|show
"""
SILENT = frozenset(" ".join(name.split()) for name in _SILENT.split("|"))

UNITS = (
    ("km2", "km²"), ("sq km", "km²"), ("sq mi", "sq mi"), ("sqmi", "sq mi"), ("km", "km"), ("mi", "mi"),
    ("ft", "ft"), ("m", "m"), ("m3", "m³"), ("m3s", "m³/s"), ("ha", "ha"), ("acre", "acres"), ("kg", "kg"),
    ("lb", "lb"),
)  # fmt: skip
