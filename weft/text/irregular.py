"""What no rule of `stems` finds: the forms of irregular verbs and nouns, and words that only look derived."""

from __future__ import annotations

FORMS = """
    agree agreed|arise arose arisen|beat beaten|become became|begin began begun|bend bent|bite bitten|bleed bled
    blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
    choose chose chosen|cling clung|come came|creep crept|deal dealt|decree decreed|dig dug|disagree disagreed
    do did does doing done|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|dye dyed|eat ate eaten
    fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden
    foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|free freed|freeze froze frozen
    get got gotten|give gave given|go goes going gone went|grow grew grown|guarantee guaranteed|hang hung
    have had has having|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led
    lean leant|leap leapt|learn learnt|leave left|lend lent|lie lain lying|light lit|lose lost|make made|mean meant
    meet met|mistake mistook mistaken|overcome overcame|override overrode overridden|oversee oversaw overseen
    overtake overtook overtaken|overthrow overthrew overthrown|overwrite overwrote overwritten|pay paid|prove proven
    rebuild rebuilt|referee refereed|remake remade|repay repaid|rewrite rewrote rewritten|ride rode ridden
    ring rang rung|rise risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn
    shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
    sleep slept|slide slid|sow sown|speak spoke spoken|spell spelt|spend spent|spill spilt|spin spun|spit spat
    spoil spoilt|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken
    strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken
    teach taught|tear tore torn|tell told|think thought|throw threw thrown|tie tying|undergo underwent undergone
    underlie underlay underlying|understand understood|undertake undertook undertaken|undo undid undone|uphold upheld
    wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|withstand withstood
    write wrote written

    alga algae|alumnus alumni|appendix appendices|axis axes|bacterium bacteria|child children|corpus corpora
    criterion criteria|curriculum curricula|foot feet|formula formulae|fungus fungi|goose geese|index indices
    larva larvae|louse lice|man men|matrix matrices|maximum maxima|medium media|menu menus|millennium millennia
    minimum minima|mouse mice|nucleus nuclei|ox oxen|penny pence|phenomenon phenomena|quiz quizzes|radius radii
    spectrum spectra|stratum strata|tooth teeth|vertex vertices|woman women
    alias|always|atlas|bias|bus buses|canvas|embed|gas gases|iris|lens|news|series|shed|species|specimen

    calve calf|halve half|hoove hoof|knive knife|leave leaf|live life|loave loaf|scarve scarf|shelve shelf
    thieve thief|wive wife|wolve wolf

    act actress|birth born|bury burial|catalog catalogue|conquer conqueror|death dead die died dies dying
    found foundation founded founder founding|govern government governor|gray grey|marry marriage
    perform performance|program programme|sail sailor|survey surveyor|survive survivor
"""
"""Rows of a word and of what has its stem. Of a form in two rows ("found") the first counts."""

IRREGULAR = {
    form: row.split()[0] for row in reversed(FORMS.replace("\n", "|").split("|")) for form in row.split()
}  # fmt: skip
"""The word whose stem a form has."""

APART = frozenset(
    """ally anomaly assembly belly bully early emily family italy jelly july lily monopoly molly only rally sally
    apply comply imply multiply reply supply
    alter anger apartment banner barrier basement bastion border bother brother butter career center chapter charter
    compassion conversation corner counter cover crater cursor customer daughter department dinner document element
    experiment factor father flatter flower former format fortunate hammer heather implement inner instrument ladder
    latter ledger letter liver manner master matter member mention minister mission monster mother motor muster
    notion number offer officer order outer paper passion pastor pepper plantation porter portion power proper quarter
    question ration river saucer sector session shower silver sister slipper statement summer temper template tower
    tractor upper version water winter""".split()
)
"""Words that end like adverbs, agents and deeds without being any."""
