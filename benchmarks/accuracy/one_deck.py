"""One deck read under the conditions of `conditions`, for the bound that the certificate quotes."""

import hashlib
from pathlib import Path
from time import process_time

import cv2
import msgspec
import numpy as np

from benchmarks.accuracy import conditions
from benchmarks.accuracy.scoring import count_at, outlines_at, pairs_at, random_table, wiped_out
from evidence.errors import UsageError
from evidence.files import write_atomic
from fixtures.camera_accuracy import CameraAccuracy, MeasuredDeck, Readings, Seeds, upper_bound
from vision.deck import EnrolledDeck
from vision.deck_file import load_deck
from vision.deck_from_faces import enrol_rendered
from vision.enrolling import label_of
from vision.faces import LEAST_INDEX_GAP_MM
from vision.layout import standard_layout
from vision.pictures import Picture, u8
from vision.reader import TableReader
from vision.single_card import straight_card
from vision.sources import load_picture, stills
from vision.synthetic.cards import face_image
from vision.synthetic.piles import Faces
from vision.synthetic.renderer import Renderer


def faces_in(folder: Path, deck: EnrolledDeck) -> Faces:
    """The faces of a deck from a folder of pictures, one for each card. Raises `UsageError`."""
    if deck.card_mm != tuple(standard_layout().card_mm):
        raise UsageError(f"{folder}: cards of {deck.card_mm} mm; scenes are drawn with {standard_layout().card_mm}")
    faces = {}
    for path in stills(folder):
        if label := label_of(path.stem):
            card = straight_card(load_picture(path), deck.card_mm)
            if card is None:
                raise UsageError(f"{path}: no outline of one card; photograph it again, alone on a darker ground")
            faces[label] = card
    if missing := sorted(set(deck.labels) - set(faces)):
        raise UsageError(f"{folder}: no picture of {', '.join(missing[:5])}; expected one of each card of the deck")

    def drawn(label: str, px_per_mm: float) -> Picture:
        size = (round(deck.card_mm[0] * px_per_mm), round(deck.card_mm[1] * px_per_mm))
        return u8(cv2.resize(faces[label], size, interpolation=cv2.INTER_AREA))

    return drawn


def run_deck(name: str, tables: int, first_seed: int, deck: EnrolledDeck, faces: Faces, tell: bool = False) -> Readings:
    """Cards of one deck under one condition. A camera is hung anew for every ten tables."""
    condition = conditions.CONDITIONS[name]
    own = list(conditions.CONDITIONS).index(name)  # other tables than those of the other conditions
    totals, hidden = np.zeros(3, int), 0
    for number in range(tables):
        seed = first_seed + number
        rng = np.random.default_rng([seed, 2, own])
        if number % 10 == 0:
            layout = condition.seen(standard_layout(), rng)
            renderer, reader = Renderer(layout, seed, faces=faces), TableReader(layout, deck)
            countable = {place.name: place.countable for place in layout.places.values()}
        scene = random_table(rng, countable)
        clean = renderer.frame(scene, number)
        frame = condition.spoilt(clean.copy(), rng)
        for place in layout.places:
            close = layout.places[place].stagger_pitch_mm < LEAST_INDEX_GAP_MM
            pile = scene.piles[place]
            reading = reader.look(frame, place)
            pairs = pairs_at(reading, pile, close, outlines_at(renderer, place, pile))
            if count_at(reading, pile).wrong and all(label in (None, true) for true, label in pairs):
                pairs.append(("-", "miscounted"))
            wrong = sum(label not in (None, true) for true, label in pairs)
            if wrong:
                print(f"    MISREAD {name} seed {seed} {place}: {[card.label for card in pile.cards]}", flush=True)
            unread = [true for true, label in pairs if label is None]
            if condition.glare and unread:
                gone = wiped_out(clean, frame, renderer, place, pile)
                hidden += sum(true in gone for true in unread)
                unread = [true for true in unread if true not in gone]
            if unread and tell:
                print(f"    not read: {name} seed {seed} {place}: {' '.join(unread)}", flush=True)
            named = sum(label is not None for _, label in pairs)
            totals += named + len(unread), wrong, len(unread)
    cards, misread, abstained = map(int, totals)
    return Readings(name, cards, misread, abstained, upper_bound(misread, cards - abstained), hidden)


def measure_deck(
    out: Path, deck_file: Path | None, folder: Path | None, tables: int, first_seed: int, tell: bool = False
) -> bool:
    """Read one deck under all conditions and write what came of it; True if nothing was misread."""
    if (deck_file is None) != (folder is None):
        raise UsageError("--deck and --faces go together: an enrolled deck, and pictures of its faces")
    faces: Faces = face_image
    if deck_file is None or folder is None:
        deck, told = enrol_rendered(), MeasuredDeck("drawn by cardcert", "")
    else:
        deck = load_deck(deck_file)
        digest = hashlib.sha256(deck_file.read_bytes()).hexdigest()
        faces, told = faces_in(folder, deck), MeasuredDeck(deck_file.stem[:80], digest)
    rows = []
    for name in conditions.CONDITIONS:
        began = process_time()
        row = run_deck(name, tables, first_seed, deck, faces, tell)
        read = row.cards - row.misread - row.abstained
        rows.append(row)
        took = process_time() - began
        counts = f"{read:6d} /{row.misread:3d} /{row.abstained:6d}   hidden {row.hidden:4d}"
        print(f"{name:26s} {counts}   at most {row.bound:.3%}   {took:.0f} s", flush=True)
    cards, misread, abstained = (sum(getattr(row, what) for row in rows) for what in ("cards", "misread", "abstained"))
    bound = upper_bound(misread, cards - abstained)
    seeds = Seeds(first_seed, tables)
    found = CameraAccuracy(1, "cardcert.camera_accuracy", "drawn", told, rows, cards, misread, abstained, bound, seeds)
    write_atomic(out, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    print(
        f"{cards} cards, {misread} misread, {abstained} abstained; misread: at most {bound:.4%} of those named (95 %)"
    )
    return not any(row.misread for row in rows)
