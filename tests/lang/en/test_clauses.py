"""Who acts in a clause that does not say so."""

from __future__ import annotations

import pytest

from spice_core.lang.en import clauses
from tests.lang.edges import applied

CASES = [
    (
        clauses.participle_agents,
        "man/man/NN/0/root surrounded/surround/VBN/1/acl by/by/IN/4/case lemons/lemon/NNS/2/obl:by",
        {"surrounded obl:agent lemons"},
    ),
    (clauses.participle_agents, "car/car/NN/0/root parked/park/VBN/1/acl by/by/IN/4/case road/road/NN/2/obl:by", set()),  # a place
    (
        clauses.participle_agents,
        "man/man/NN/2/nsubj surrounded/surround/VBN/0/root by/by/IN/4/case lemons/lemon/NNS/2/obl:by",
        {"surrounded obl:agent lemons", "surrounded nsubj:pass man"},
    ),
    (
        clauses.participle_agents,
        "bus/bus/NN/2/nsubj:pass stopped/stop/VBN/0/root by/by/IN/4/case trees/tree/NNS/2/obl:agent",
        {"stopped obl:by trees"},
    ),
    (
        clauses.with_clauses,
        "man/man/NN/2/nsubj sits/sit/VBZ/0/root with/with/IN/5/mark dogs/dog/NNS/5/nsubj barking/bark/VBG/2/advcl",
        {"sits obl:with dogs"},
    ),
    (
        clauses.relative_clauses,
        "bench/bench/NN/0/root that/that/WDT/3/nsubj has/have/VBZ/1/acl:relcl bears/bear/NNS/3/obj",
        {"has nsubj:relcl bench"},
    ),
    (
        clauses.relative_clauses,
        "bike/bike/NN/0/root he/he/PRP/3/nsubj rides/ride/VBZ/1/acl:relcl",
        {"rides obj bike"},
    ),
    (
        clauses.relative_clauses,
        "rug/rug/NN/0/root that/that/IN/4/mark people/people/NNS/4/nsubj walk/walk/VBP/1/acl:relcl on/on/RP/4/compound:prt",
        {"walk obl:on rug"},
    ),
    (
        clauses.relative_clauses,
        "game/game/NN/0/root where/where/WRB/4/advmod batters/batter/NNS/4/nsubj hit/hit/VBP/1/acl:relcl",
        set(),
    ),
    (
        clauses.controlled_subjects,
        "girl/girl/NN/0/root smiling/smile/VBG/1/acl",
        {"smiling nsubj:acl girl"},
    ),
    (
        clauses.controlled_subjects,
        "cake/cake/NN/0/root decorated/decorate/VBN/1/acl with/with/IN/4/case roses/rose/NNS/2/obl:with",
        {"decorated nsubj:acl:pass cake"},
    ),
    (
        clauses.controlled_subjects,
        "boy/boy/NN/2/nsubj runs/run/VBZ/0/root to/to/TO/4/mark hit/hit/VB/2/advcl balls/ball/NNS/4/obj",
        {"hit nsubj:control boy"},
    ),
    (
        clauses.controlled_subjects,
        "man/man/NN/2/nsubj holds/hold/VBZ/0/root the/the/DT/4/det door/door/NN/2/obj open/open/JJ/2/xcomp",
        {"open nsubj:control door"},
    ),
    (clauses.controlled_subjects, "tree/tree/NN/0/root to/to/TO/3/mark climb/climb/VB/1/acl", set()),  # the tree does not climb
    (
        clauses.controlled_subjects,
        "man/man/NN/0/root about/about/IN/4/mark to/to/TO/4/mark jump/jump/VB/1/acl",
        {"jump nsubj:acl man"},
    ),
    (
        clauses.actors,
        "man/man/NN/0/root in/in/IN/3/case stance/stance/NN/1/nmod:in holding/hold/VBG/3/acl rackets/racket/NNS/4/obj",
        {"man acl holding"},
    ),
    (
        clauses.actors,
        "man/man/NN/2/nsubj walks/walk/VBZ/0/root down/down/IN/4/case streets/street/NNS/2/obl:down carrying/carry/VBG/4/acl",
        {"man acl carrying"},
    ),
    (clauses.actors, "dog/dog/NN/0/root on/on/IN/3/case girl/girl/NN/1/nmod:on holding/hold/VBG/3/acl", set()),  # the girl can hold it
    (clauses.actors, "man/man/NN/0/root by/by/IN/3/case house/house/NN/1/nmod:by overlooking/overlook/VBG/3/acl", set()),  # so can houses
    (
        clauses.seen_subjects,
        "crowd/crowd/NN/2/nsubj watches/watch/VBZ/0/root batters/batter/NNS/4/nsubj try/try/VB/2/ccomp",
        {"watches obj batters"},
    ),
    (
        clauses.places_after_have,
        "bench/bench/NN/2/nsubj has/have/VBZ/0/root bears/bear/NNS/2/obj on/on/IN/5/case it/it/PRP/2/obl:on",
        {"bears nmod:on it"},
    ),
]


@pytest.mark.parametrize(("step", "tree", "added"), CASES, ids=[f"{c[0].__name__} {i}" for i, c in enumerate(CASES)])
def test_steps(step, tree, added):
    assert applied(step, tree) == added
