"""The shipped packs hold every sub-clause, in every language, with their open questions as switches."""

import pytest

from evidence.errors import UsageError
from rules.listing import describe_pack, list_clauses, show_clause
from rules.loader import load_packs
from rules.pack import pack_digest

NJ, PR = load_packs(["NJ-69F-33.12", "PR-PGP-SHOE"])

NJ_CLAUSES = {"a": 3, "b": 3, "c": 0, "d": 0, "e": 2, "f": 3, "g": 3, "h": 0, "i": 3, "j": 6, "k": 0}
"""How many sub-clauses each paragraph falls into; 0 where it is one."""
PR_CLAUSES = [
    *("A.1", "A.2", "B.1", "B.2", "C.1", "C.2", "D.1", "D.2", "D.3"),
    *("E.0", "E.1.a", "E.1.b", "E.2.0", "E.2.a", "E.2.b", "F"),
]


def test_every_sub_clause_of_new_jersey_is_there() -> None:
    wanted = [
        f"NJ-69F-33.12.{letter}.{n}" if count else f"NJ-69F-33.12.{letter}"
        for letter, count in NJ_CLAUSES.items()
        for n in range(1, max(1, count) + 1)
    ]
    assert len(wanted) == 27
    assert [clause.id for clause in NJ.clauses] == wanted


def test_every_sub_clause_of_puerto_rico_is_there() -> None:
    assert [clause.id for clause in PR.clauses] == [f"PR-PGP-SHOE.{name}" for name in PR_CLAUSES]


def test_games_are_as_the_texts_have_them() -> None:
    assert (PR.game.cards_in_deck, PR.game.stacks, PR.game.stack_size, PR.game.remainder) == (53, 7, 7, 4)
    assert (NJ.game.cards_in_deck, NJ.game.hole_cards) == (52, 2)


def test_meanings_and_duties_stand_in_every_language() -> None:
    assert (NJ.text_language, PR.text_language) == ("en", "es")
    for pack in (NJ, PR):
        assert pack.languages == ("en", "es", "it")
        for clause in pack.clauses:
            assert len(set(clause.meaning.values())) == 3
            for requirement in clause.requirements:
                assert len(set(requirement.duty.values())) == 3


@pytest.mark.parametrize(
    ("clause", "alternatives"),
    [
        ("NJ-69F-33.12.a.1", ["player_first", "player_second", "dealer_first", "dealer_second"]),
        ("NJ-69F-33.12.d", ["too_many", "too_few"]),
        ("NJ-69F-33.12.j.4", ["jam", "stop", "incomplete"]),
        ("NJ-69F-33.12.k", ["shuffler_shuffling", "shoe_dealing", "shuffler_dealing", "shoe_shuffling"]),
        ("PR-PGP-SHOE.E.2.0", ["fewer", "more"]),
        ("PR-PGP-SHOE.A.2", ["approved", "unapproved"]),
    ],
)
def test_each_way_to_trigger_a_clause_is_an_alternative(clause: str, alternatives: list[str]) -> None:
    rows = {row["id"]: row for row in list_clauses([NJ, PR])}
    assert rows[clause]["alternatives"] == alternatives


def test_every_policy_says_what_it_decides_and_where() -> None:
    for pack in (NJ, PR):
        for policy in pack.policies:
            assert policy.default in [value.value for value in policy.values]
            assert set(policy.clauses) == {clause.id for clause in pack.clauses if policy.id in clause.policies}


def test_rows_hold_what_a_script_of_a_lab_depends_on() -> None:
    rows = list_clauses([NJ, PR])
    assert len(rows) == 43
    for row in rows:
        assert {"id", "pack", "citation", "meaning", "alternatives", "policies"} <= set(row)
        assert row["meaning"]["en"]


def test_one_clause_is_shown_in_full() -> None:
    shown = show_clause([NJ, PR], "NJ-69F-33.12.j.1")
    assert [one["id"] for one in shown["requirements"]] == ["not_resumed", "resume_refused"]
    assert list(shown["policies"][0]["values"]) == ["during_round", "any_time"]
    with pytest.raises(UsageError, match=r"no clause 'j.1'. Did you mean NJ-69F-33.12.j.1"):
        show_clause([NJ, PR], "j.1")
    with pytest.raises(UsageError, match="cardcert rules list"):
        show_clause([NJ, PR], "zzz")


def test_a_pack_is_described_by_what_it_holds() -> None:
    described = describe_pack(PR)
    assert described["clauses"] == 16
    assert described["alternatives"] == sum(len(row["alternatives"]) for row in list_clauses([PR]))
    assert described["sha256"] == pack_digest(PR)
