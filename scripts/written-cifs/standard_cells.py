"""Prints test/fixtures/standard-cells.tsv: crystals of many space groups in cells that are not standard, with the standard and the reduced cell that spglib finds."""
import random

import numpy as np
import spglib
from pymatgen.core import Lattice

from generate import lattice_of

MORE_SYMMETRIC = [75, 82, 92, 105, 113, 122, 129, 141, 143, 146, 152, 160, 163, 166, 167, 169, 178, 185, 190, 194, 196, 199, 205, 212, 220, 223, 227, 230]


def hall_number(number):
    return next(h for h in range(1, 531) if spglib.get_spacegroup_type(h)["number"] == number)


def expanded(place, operators, lattice):
    places = []
    for rotation, translation in zip(operators["rotations"], operators["translations"]):
        image = rotation @ place + translation
        off = [image - known - np.round(image - known) for known in places]
        if all(np.linalg.norm(lattice.get_cartesian_coords(o)) > 0.1 for o in off):
            places.append(image)
    return places


def row(number, seed):
    r = random.Random(number * 1009 + seed)
    hall = hall_number(number)
    lattice = Lattice.from_parameters(*(round(x, 3) for x in lattice_of(number, r).parameters))
    operators = spglib.get_symmetry_from_database(hall)
    atoms = [("Si", [round(r.random(), 4) for _ in range(3)]), ("O", [0.0, 0.0, 0.0]), ("S", [round(r.random(), 4) for _ in range(3)])]
    atoms = atoms if number < 75 else atoms[:2]
    sites = [(e, p) for e, place in atoms for p in expanded(np.array(place), operators, lattice)]
    places, kinds = np.array([p for _, p in sites]), [14 if e == "Si" else 8 if e == "O" else 16 for e, _ in sites]
    far = lattice.get_all_distances(places, places)[~np.eye(len(places), dtype=bool)]
    if far.min(initial=1) < 0.7:
        return None
    axes = np.eye(3, dtype=int)
    for _ in range(4):
        i, j = r.sample(range(3), 2)
        axes[i] += r.choice([-1, 1]) * axes[j]
    origin = [round(r.random(), 3) for _ in range(3)]
    vectors = axes @ lattice.matrix
    found = [spglib.get_symmetry_dataset((vectors, (places + origin) @ np.linalg.inv(axes), kinds), symprec=s) for s in (0.01, 0.1)]
    if any(f is None or f["number"] != number for f in found):
        return None
    standard = found[0]
    primitive = spglib.find_primitive((standard["std_lattice"], standard["std_positions"], standard["std_types"]), symprec=0.01)[0]
    reduced = spglib.niggli_reduce(primitive, eps=1e-3)
    write = lambda numbers: " ".join(f"{x:.4f}".rstrip("0").rstrip(".") for x in numbers)
    return [
        str(number),
        str(standard["hall_number"]),
        write(lattice.parameters),
        "; ".join(f"{e} {write(p)}" for e, p in atoms),
        write(axes.flatten()),
        write(origin),
        write(Lattice(standard["std_lattice"]).parameters),
        write(Lattice(reduced).parameters),
    ]


print("# Crystals of space groups in cells that are not standard, and what spglib 2.0.2 finds. scripts/written-cifs/standard_cells.py makes this table.")
print("# group\tHall number\tits cell\tits atoms\tvectors of the cell that is given, by those of the first\torigin\tstandard cell\treduced cell")
groups = [1, 2] * 3 + [*range(3, 16)] * 4 + [*range(16, 75)] + MORE_SYMMETRIC
for index, number in enumerate(groups):
    rows = (row(number, 100 * groups[:index].count(number) + seed) for seed in range(100))
    print("\t".join(next(found for found in rows if found is not None)))
