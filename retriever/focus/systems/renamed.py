"""Long names of relations, which models understand better than those that a graph stores, each with the stored one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from weft.errors import WeftError
from weft.text.json_text import parsed_json

PRIME = {
    "gene/protein_interacts_with_gene/protein": "ppi", "gene/protein_is_carrier_of_drug": "carrier",
    "drug_targets_enzyme_gene/protein": "enzyme", "drug_targets_gene/protein": "target",
    "gene/protein_transports_drug": "transporter", "drug_indicates_disease": "indication",
    "drug_contraindicates_disease": "contraindication", "drug_has_off-label_use_for_disease": "off-label use",
    "drug_synergistically_interacts_with_drug": "synergistic interaction",
    "protein/gene_is_associated_with_effect/phenotype": "associated with",
    "protein/gene_is_associated_with_disease": "associated with", "is_an_umbrella_term_of": "parent-child",
    "is_effect/phenotype_of_disease": "phenotype present", "is_not_effect/phenotype_of_disease": "phenotype absent",
    "effect/phenotype_is_side-effect_of_drug": "side effect", "interacts_with": "interacts with",
    "exposure_is_linked_to_disease": "linked to", "gene/protein_is_present_in_anatomy": "expression present",
    "gene/protein_is_not_present_in_anatomy": "expression absent",
}  # fmt: skip
MAG = {
    "author_affiliated_with_institution": "author___affiliated_with___institution",
    "paper_cites_paper": "paper___cites___paper", "author_writes_paper": "author___writes___paper",
    "paper_has_field_of_study": "paper___has_topic___field_of_study",
}  # fmt: skip
AMAZON = {
    "product_also_buy_product": "also_buy", "product_also_view_product": "also_view",
    "product_has_brand": "has_brand", "product_has_category": "has_category", "product_has_color": "has_color",
}  # fmt: skip
NAMED: Mapping[str, Mapping[str, str]] = MappingProxyType({"prime": PRIME, "mag": MAG, "amazon": AMAZON})
"""The names that the published systems give to the relations of STaRK's graphs."""


def renamed_by(given: str) -> Mapping[str, str]:
    """Return the stored name by the long one: a table of `NAMED`, or of a file with one JSON object; "" for none.

    Raise WeftError for a file that is none.
    """
    if not given or given in NAMED:
        return NAMED.get(given, {})
    try:
        names = parsed_json(Path(given).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise WeftError(f"renamed={given}: is none of {', '.join(NAMED)} and no JSON file ({error})") from error
    if not isinstance(names, dict) or not all(isinstance(each, str) and each for each in names.values()):
        raise WeftError(f"renamed={given}: must be an object of long names with the stored one of each")
    return names


def with_long_names(lines: Iterable[str], renamed: Mapping[str, str]) -> list[str]:
    """Return lines `relation: what it joins` with each relation's long names, a line for each.

    >>> with_long_names(["ppi: gene -> gene", "a: b -> c"], {"is_near": "ppi", "meets": "ppi"})
    ['is_near: gene -> gene', 'meets: gene -> gene', 'a: b -> c']
    """
    long: dict[str, list[str]] = {}
    for name, stored in renamed.items():
        long.setdefault(stored, []).append(name)
    parts = [line.rpartition(": ") for line in lines]
    return [f"{name}: {rest}" if rest else name for stored, _, rest in parts for name in long.get(stored, [stored])]
