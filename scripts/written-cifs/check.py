"""Compares NAME.cif with NAME.p1.cif of a directory, which has as many as the second argument says: gemmi expands both by their operators, and knows the group by operators and by name;
spglib finds the group; pymatgen maps the atoms of one onto those of the other. The lengths and angles of NAME.json are those of spglib's standard cell and of the reduced cells of spglib and gemmi."""
import glob, json, sys, warnings

import gemmi
import numpy as np
import spglib
from pymatgen.analysis.structure_matcher import StructureMatcher
from pymatgen.core import Lattice, Structure

warnings.simplefilter("ignore")
SAME_PLACE = 0.01
SAME_LENGTH = 0.001  # also of angles
# Of some cells one or the other way to a primitive cell finds no mapping.
matchers = [StructureMatcher(ltol=0.005, stol=0.02, angle_tol=0.5, primitive_cell=primitive, scale=False) for primitive in (True, False)]


class Written:
    def __init__(self, path):
        block = gemmi.cif.read(path).sole_block()
        self.says_p1 = open(path).readline().startswith("# P 1:")
        small = gemmi.make_small_structure_from_block(block)
        c = small.cell
        self.lattice = Lattice.from_parameters(c.a, c.b, c.c, c.alpha, c.beta, c.gamma)
        self.operators = [gemmi.Op(gemmi.cif.as_string(v)) for v in block.find_values("_space_group_symop_operation_xyz")]
        self.multiplicities = [int(m) for m in block.find_values("_atom_site_symmetry_multiplicity")]
        self.listed = len(small.sites)
        self.byName = small.find_spacegroup() if hasattr(small, "find_spacegroup") else gemmi.find_spacegroup_by_name(small.spacegroup_hm, c.alpha, c.gamma)
        # Each place with what is on it.
        places, self.listed_images = [], 0
        for site in small.sites:
            own = []
            for operator in self.operators:
                image = np.array(operator.apply_to_xyz(site.fract.tolist())) % 1
                if self.nearest(image, own) is None:
                    own.append(image)
            self.listed_images += len(own)
            for image in own:
                at = self.nearest(image, [place for place, _ in places])
                if at is None:
                    places.append((image, {}))
                _, species = places[-1 if at is None else at]
                species[site.element.name] = round(species.get(site.element.name, 0) + site.occ, 4)
        self.places = [place for place, _ in places]
        self.species = [species for _, species in places]
        kinds = sorted({str(sorted(species)) + str(np.round(list(dict(sorted(species.items())).values()), 2)) for species in self.species})
        self.numbers = [1 + kinds.index(str(sorted(s)) + str(np.round(list(dict(sorted(s.items())).values()), 2))) for s in self.species]

    def nearest(self, image, places):
        """Index of the place that an image is at, if any."""
        if not places:
            return None
        off = np.array(places) - image
        far = np.linalg.norm(self.lattice.get_cartesian_coords(off - np.round(off)), axis=1)
        return int(far.argmin()) if far.min() < SAME_PLACE else None

    def symmetry(self):
        return spglib.get_symmetry_dataset((self.lattice.matrix, self.places, self.numbers), symprec=0.01)

    def structure(self):
        return Structure(self.lattice, self.species, self.places)

    def reduced(self):
        return self.structure().get_primitive_structure().get_reduced_structure()


def parameters(vectors):
    return Lattice(vectors).parameters


def differ(one, other):
    return max(abs(a - b) for a, b in zip(one, other)) > SAME_LENGTH


def cell_faults(cells, symmetry):
    """What is wrong with the cells that were told of a crystal."""
    standard = parameters(symmetry["std_lattice"])
    if differ(cells["conventional"], standard):
        yield f"its standard cell is {np.round(cells['conventional'], 3)}, spglib's {np.round(standard, 3)}"
    primitive = spglib.find_primitive((symmetry["std_lattice"], symmetry["std_positions"], symmetry["std_types"]), symprec=0.01)[0]
    vector = gemmi.GruberVector(gemmi.UnitCell(*parameters(primitive)), "P", False)
    vector.niggli_reduce(1e-3)
    for name, reduced in ("spglib", parameters(spglib.niggli_reduce(primitive, eps=1e-3))), ("gemmi", vector.cell_parameters()):
        if differ(cells["niggli"], reduced):
            yield f"its reduced cell is {np.round(cells['niggli'], 3)}, that of {name} {np.round(reduced, 3)}"


def faults(one, other, cells):
    """What is wrong with a file, against that of all atoms."""
    symmetry, written = other.symmetry(), one.symmetry()
    group = symmetry["number"]
    if written["number"] != group:
        yield f"spglib finds {written['number']}, not {group}"
    yield from cell_faults(cells, symmetry)
    known = gemmi.find_spacegroup_by_ops(gemmi.GroupOps(one.operators))
    # A file may say, and why, that it has the atoms of the whole cell.
    if not one.says_p1 and (known is None or known.number != group):
        yield f"gemmi takes its operators for {known}, not {group}"
    if one.byName is None or {o.triplet() for o in one.byName.operations()} != {o.triplet() for o in one.operators}:
        yield f"gemmi takes its name for {one.byName}, which has other operators"
    if one.multiplicities and sum(one.multiplicities) != one.listed_images:
        yield f"multiplicities make {sum(one.multiplicities)} atoms, not {one.listed_images}"
    ways = [(one.structure(), other.structure()), (one.reduced(), other.reduced())]
    rms = next((found for matcher, way in zip(matchers, ways) if (found := matcher.get_rms_dist(*way)) is not None), None)
    unit = (one.lattice.volume / len(one.numbers)) ** (1 / 3)
    if rms is None or rms[1] * unit > 0.03:
        yield f"its atoms are elsewhere: {rms}"


good, total, listed, atoms = 0, 0, 0, 0
for path in sorted(glob.glob(f"{sys.argv[1]}/*.p1.cif")):
    one, other = Written(path.replace(".p1.cif", ".cif")), Written(path)
    cells = json.load(open(path.replace(".p1.cif", ".json")))
    found = list(faults(one, other, cells))
    total, good = total + 1, good + (not found)
    listed, atoms = listed + one.listed, atoms + other.listed
    for fault in found:
        print(f"{path}: {fault}")
print(f"{good} of {total} are the same crystal in the same group; {listed} atoms are listed for {atoms}")
sys.exit(good != int(sys.argv[2]))
