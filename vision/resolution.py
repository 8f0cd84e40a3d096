"""Whether a rig's camera resolves its deck at every place, and what to do where it does not."""

from vision.deck import EnrolledDeck
from vision.places import TableLayout, density_at


def densities(layout: TableLayout) -> dict[str, float]:
    """Pixels a millimetre at the middle of each place."""
    return {name: density_at(layout.mm_to_px, place.box.centre_mm) for name, place in layout.places.items()}


def resolution(layout: TableLayout, deck: EnrolledDeck) -> tuple[bool, str]:
    """Whether the deck is told apart with certainty at every place, and that in words."""
    seen = densities(layout)
    coarsest = min(seen, key=seen.__getitem__)
    told = f"{seen[coarsest]:.2f} px/mm at {coarsest}, where it is least"
    if deck.need is None:
        return True, f"{told}; this deck file does not say what it needs, enrol the deck anew"
    one, other = deck.need.closest
    needed = f"this deck needs at least {deck.need.px_per_mm:g} px/mm; closest pair {one}/{other}"
    short = [name for name, density in seen.items() if density < deck.need.px_per_mm]
    if not short:
        return True, f"{told}; {needed}"
    places = ", ".join(short[:4]) + (f" and {len(short) - 4} more" if len(short) > 4 else "")
    return False, (
        f"{told}; {needed}. At {places} cards that look alike are left unread, never guessed. Use a camera of more "
        f"pixels, hang it nearer, or take a deck with larger indices"
    )
