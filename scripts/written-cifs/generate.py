"""Writes POSCARs of all 230 space groups into a directory, so many of each, by pymatgen, in other cells, with other origins and orders of axes; spglib says that they are of that group.
Arguments: directory, number of each, seed."""
import random, sys, warnings

import numpy as np
import spglib
from pymatgen.core import Lattice, Structure

warnings.simplefilter("ignore")

def lattice_of(number, r):
    a, b, c = (r.uniform(5, 11) for _ in range(3))
    if number <= 2:
        return Lattice.from_parameters(a, b, c, r.uniform(65, 115), r.uniform(65, 115), r.uniform(65, 110))
    if number <= 15:
        return Lattice.from_parameters(a, b, c, 90, r.uniform(65, 140), 90)
    if number <= 74:
        return Lattice.orthorhombic(a, b, c)
    if number <= 142:
        return Lattice.tetragonal(a, c * 1.3)
    if number <= 194:
        return Lattice.hexagonal(a, c * 1.3)
    return Lattice.cubic(a * 1.6)


def group_of(structure, tolerance):
    return spglib.get_spacegroup((structure.lattice.matrix, structure.frac_coords, structure.atomic_numbers), symprec=tolerance)


def in_another_cell(structure, r):
    """The same crystal by sums of its vectors in another order, from another origin."""
    vectors = np.eye(3, dtype=int)
    for _ in range(r.randint(0, 5)):
        i, j = r.sample(range(3), 2)
        vectors[i] += r.choice([-1, 1]) * vectors[j]
    vectors = vectors[r.sample(range(3), 3)]
    if np.linalg.det(vectors) < 0:
        vectors = -vectors
    places = (structure.frac_coords @ np.linalg.inv(vectors) + [r.random() for _ in range(3)]) % 1
    return Structure(vectors @ structure.lattice.matrix, structure.species, places)


def structure_of(number, seed):
    """Atoms at a general position and mostly some at the origin; by its primitive cell in two of three cases."""
    r = random.Random(number * 1000003 + seed)
    species, coordinates = ["Si"], [[r.random() for _ in range(3)]]
    if r.random() < 0.5:
        species.append("O")
        coordinates.append([0, 0, 0])
    if number < 16 or r.random() < 0.3:
        species.append("S")
        coordinates.append([r.random() for _ in range(3)])
    structure = Structure.from_spacegroup(number, lattice_of(number, r), species, coordinates)
    distances = structure.distance_matrix[~np.eye(len(structure), dtype=bool)]
    if len(structure) > 220 or distances.min(initial=1) < 0.7:
        return None
    found = group_of(structure, 0.01)
    # Of a crystal that nearly has another group, programs may say one or the other.
    if found is None or not found.endswith(f"({number})") or group_of(structure, 0.1) != found:
        return None
    return in_another_cell(structure if r.random() < 1 / 3 else structure.get_primitive_structure(), r)


if __name__ == "__main__":
    directory, each, first_seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(1, 231):
        found = (s for s in (structure_of(number, first_seed + seed) for seed in range(1000 * each)) if s is not None)
        for count in range(each):
            next(found).to(fmt="poscar", filename=f"{directory}/group-{number:03d}-{count}.vasp")
