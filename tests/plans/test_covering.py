"""The cheapest cover is the cheapest: beside every choice there is."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures import covering
from fixtures.covering import cover


def cheapest(sets: dict[str, frozenset[int]], costs: dict[str, int]) -> int:
    """By trying all."""
    wanted = frozenset().union(*sets.values())
    return min(
        sum(costs[name] for name in names)
        for size in range(len(sets) + 1)
        for names in combinations(sorted(sets), size)
        if frozenset().union(*(sets[name] for name in names)) == wanted
    )


PROBLEMS = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.tuples(st.frozensets(st.integers(0, 8), max_size=5), st.integers(0, 9)),
    min_size=1,
)


@settings(max_examples=300)
@given(problem=PROBLEMS)
def test_no_choice_is_cheaper(problem: dict[str, tuple[frozenset[int], int]]) -> None:
    sets = {name: held for name, (held, _) in problem.items()}
    costs = {name: cost for name, (_, cost) in problem.items()}
    choice = cover(sets, costs)
    assert frozenset().union(*(sets[name] for name in choice.names)) == frozenset().union(*sets.values())
    assert choice.cost == sum(costs[name] for name in choice.names) == cheapest(sets, costs)
    assert choice.cheapest


@settings(max_examples=200)
@given(problem=PROBLEMS)
def test_a_search_that_is_cut_short_still_covers_all_and_bounds_the_best(
    problem: dict[str, tuple[frozenset[int], int]],
) -> None:
    sets = {name: held for name, (held, _) in problem.items()}
    costs = {name: cost for name, (_, cost) in problem.items()}
    before, covering.MOST_BRANCHES = covering.MOST_BRANCHES, 1
    try:
        choice = cover(sets, costs)
    finally:
        covering.MOST_BRANCHES = before
    assert frozenset().union(*(sets[name] for name in choice.names)) == frozenset().union(*sets.values())
    assert choice.bound <= cheapest(sets, costs) <= choice.cost
