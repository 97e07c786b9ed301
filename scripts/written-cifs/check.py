"""Compares NAME.cif with NAME.p1.cif of a directory, which has as many as the second argument says: gemmi expands both by their operators, and knows the group by operators and by name;
spglib finds the group; pymatgen maps the atoms of one onto those of the other."""
import glob, sys, warnings

import gemmi
import numpy as np
import spglib
from pymatgen.analysis.structure_matcher import StructureMatcher
from pymatgen.core import Lattice, Structure

warnings.simplefilter("ignore")
SAME_PLACE = 0.01
matcher = StructureMatcher(ltol=0.005, stol=0.02, angle_tol=0.5, primitive_cell=True, scale=False)


class Written:
    def __init__(self, path):
        block = gemmi.cif.read(path).sole_block()
        small = gemmi.make_small_structure_from_block(block)
        c = small.cell
        self.lattice = Lattice.from_parameters(c.a, c.b, c.c, c.alpha, c.beta, c.gamma)
        self.operators = [gemmi.Op(gemmi.cif.as_string(v)) for v in block.find_values("_space_group_symop_operation_xyz")]
        self.multiplicities = [int(m) for m in block.find_values("_atom_site_symmetry_multiplicity")]
        self.listed = len(small.sites)
        self.byName = small.find_spacegroup() if hasattr(small, "find_spacegroup") else gemmi.find_spacegroup_by_name(small.spacegroup_hm, c.alpha, c.gamma)
        self.places, self.numbers = [], []
        for site in small.sites:
            images = []
            for operator in self.operators:
                image = np.array(operator.apply_to_xyz(site.fract.tolist())) % 1
                off = [image - known - np.round(image - known) for known in images]
                if all(np.linalg.norm(self.lattice.get_cartesian_coords(o)) > SAME_PLACE for o in off):
                    images.append(image)
            self.places += images
            self.numbers += [site.element.atomic_number] * len(images)

    def group(self):
        return int(spglib.get_spacegroup((self.lattice.matrix, self.places, self.numbers), symprec=0.01).split("(")[1][:-1])

    def structure(self):
        return Structure(self.lattice, self.numbers, self.places)


def faults(one, other):
    """What is wrong with a file, against that of all atoms."""
    group = other.group()
    if one.group() != group:
        yield f"spglib finds {one.group()}, not {group}"
    known = gemmi.find_spacegroup_by_ops(gemmi.GroupOps(one.operators))
    if known is None or known.number != group:
        yield f"gemmi takes its operators for {known}, not {group}"
    if one.byName is None or {o.triplet() for o in one.byName.operations()} != {o.triplet() for o in one.operators}:
        yield f"gemmi takes its name for {one.byName}, which has other operators"
    if one.multiplicities and sum(one.multiplicities) != len(one.numbers):
        yield f"multiplicities make {sum(one.multiplicities)} atoms, not {len(one.numbers)}"
    rms = matcher.get_rms_dist(one.structure(), other.structure())
    unit = (one.lattice.volume / len(one.numbers)) ** (1 / 3)
    if rms is None or rms[1] * unit > 0.03:
        yield f"its atoms are elsewhere: {rms}"


good, total, listed, atoms = 0, 0, 0, 0
for path in sorted(glob.glob(f"{sys.argv[1]}/*.p1.cif")):
    one, other = Written(path.replace(".p1.cif", ".cif")), Written(path)
    found = list(faults(one, other))
    total, good = total + 1, good + (not found)
    listed, atoms = listed + one.listed, atoms + other.listed
    for fault in found:
        print(f"{path}: {fault}")
print(f"{good} of {total} are the same crystal in the same group; {listed} atoms are listed for {atoms}")
sys.exit(good != int(sys.argv[2]))
