"""Writes a POSCAR of each of the 230 space groups into a directory, by pymatgen; spglib says that it is of that group."""
import random, sys, warnings

import numpy as np
import spglib
from pymatgen.core import Lattice, Structure

warnings.simplefilter("ignore")
directory = sys.argv[1]


def lattice_of(number, r):
    a, b, c = (r.uniform(6, 9) for _ in range(3))
    if number <= 2:
        return Lattice.from_parameters(a, b, c, r.uniform(75, 85), r.uniform(95, 105), r.uniform(100, 110))
    if number <= 15:
        return Lattice.from_parameters(a, b, c, 90, r.uniform(95, 110), 90)
    if number <= 74:
        return Lattice.orthorhombic(a, b, c)
    if number <= 142:
        return Lattice.tetragonal(a, c * 1.3)
    if number <= 194:
        return Lattice.hexagonal(a, c * 1.3)
    return Lattice.cubic(a * 1.6)


def structure_of(number, seed):
    """Atoms at a general position and mostly some at the origin; by its primitive cell in two of three cases."""
    r = random.Random(number * 1000 + seed)
    lattice = lattice_of(number, r)
    species, coordinates = ["Si"], [[r.random() for _ in range(3)]]
    if seed % 2 == 0:
        species.append("O")
        coordinates.append([0, 0, 0])
    if number < 16:
        species.append("S")
        coordinates.append([r.random() for _ in range(3)])
    structure = Structure.from_spacegroup(number, lattice, species, coordinates)
    distances = structure.distance_matrix[~np.eye(len(structure), dtype=bool)]
    if len(structure) > 220 or distances.min() < 0.7:
        return None
    found = spglib.get_spacegroup((structure.lattice.matrix, structure.frac_coords, structure.atomic_numbers), symprec=0.01)
    if found is None or not found.endswith(f"({number})"):
        return None
    return structure.get_primitive_structure() if seed % 3 else structure


for number in range(1, 231):
    structure = next(s for s in (structure_of(number, seed) for seed in range(100)) if s is not None)
    structure.to(fmt="poscar", filename=f"{directory}/group-{number:03d}.vasp")
