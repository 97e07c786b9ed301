/** A structure as an answer has it, `id` and `type` among the attributes. */
export interface Attributes {
  readonly id: string
  readonly type: string
  readonly last_modified: string
  readonly elements: readonly string[]
  readonly nelements: number
  readonly elements_ratios: readonly number[]
  readonly chemical_formula_descriptive: string
  readonly chemical_formula_reduced: string
  readonly chemical_formula_anonymous: string
  readonly dimension_types: readonly number[]
  readonly nperiodic_dimensions: number
  readonly nsites: number
  readonly space_group_symmetry_operations_xyz: readonly string[] | null
  readonly space_group_symbol_hall: string | null
  readonly space_group_symbol_hermann_mauguin: string | null
  readonly space_group_symbol_hermann_mauguin_extended: string | null
  readonly space_group_it_number: number | null
  readonly wyckoff_positions: readonly string[] | null
  readonly cartesian_site_positions: readonly (readonly number[])[]
  readonly site_coordinate_span: string | null
  readonly structure_features: readonly string[]
  readonly _quarry_name: string
  readonly _quarry_tags: readonly string[] | null
  readonly _quarry_volume: number | null
  readonly _quarry_density: number | null
  readonly _quarry_lattice_type: string
  readonly _quarry_space_group_number: number | null
  readonly _quarry_crystal_system: string | null
  readonly _quarry_chemical_system: string
}

/** A filter and the same condition in plain words of the programming language. */
export interface OptimadeFilterCase {
  readonly filter: string
  readonly holds: (structure: Attributes) => boolean
  /** Set where selecting nothing, or everything, is the point. */
  readonly selects?: 'nothing' | 'everything'
}

type Holds = OptimadeFilterCase['holds']

const some = (filter: string, holds: Holds): OptimadeFilterCase => ({ filter, holds })
const nothing = (filter: string): OptimadeFilterCase => ({ filter, holds: () => false, selects: 'nothing' })
const everything = (filter: string): OptimadeFilterCase => ({ filter, holds: () => true, selects: 'everything' })

const hasTag =
  (tag: string): Holds =>
  ({ _quarry_tags: tags }) =>
    tags?.includes(tag) === true
const volume =
  (test: (value: number) => boolean): Holds =>
  (s) =>
    s._quarry_volume !== null && test(s._quarry_volume)
const hall =
  (test: (value: string) => boolean): Holds =>
  ({ space_group_symbol_hall: symbol }) =>
    symbol !== null && test(symbol)
const group =
  (test: (value: number) => boolean): Holds =>
  (s) =>
    s._quarry_space_group_number !== null && test(s._quarry_space_group_number)

export const COMPARISONS: readonly OptimadeFilterCase[] = [
  some('nelements=2', (s) => s.nelements === 2),
  some('nelements != 2', (s) => s.nelements !== 2),
  some('nelements<2', (s) => s.nelements < 2),
  some('nelements <= 2', (s) => s.nelements <= 2),
  some('nelements>2', (s) => s.nelements > 2),
  some('nelements >= 3', (s) => s.nelements >= 3),
  some('nsites > 4', (s) => s.nsites > 4),
  some('nsites = +2', (s) => s.nsites === 2),
  some('nsites < 2.5', (s) => s.nsites < 2.5),
  some('nsites >= 1e1', (s) => s.nsites >= 10),
  some('nsites = 2.', (s) => s.nsites === 2),
  nothing('nsites = 2.5'),
  nothing('nsites < -1'),
  everything('nsites > .5'),
  some('2 < nelements', (s) => s.nelements > 2),
  some('2 >= nelements', (s) => s.nelements <= 2),
  some('2=nelements', (s) => s.nelements === 2),
  some('2 != nelements', (s) => s.nelements !== 2),
  some('"Si" = chemical_formula_descriptive', (s) => s.chemical_formula_descriptive === 'Si'),
  some('chemical_formula_descriptive="TiO2"', (s) => s.chemical_formula_descriptive === 'TiO2'),
  some('chemical_formula_descriptive < "B"', (s) => s.chemical_formula_descriptive < 'B'),
  some('chemical_formula_descriptive >= "S"', (s) => s.chemical_formula_descriptive >= 'S'),
  some('chemical_formula_reduced="O2Ti"', (s) => s.chemical_formula_reduced === 'O2Ti'),
  some('chemical_formula_reduced="Al2O3"', (s) => s.chemical_formula_reduced === 'Al2O3'),
  some('chemical_formula_reduced="Si"', (s) => s.chemical_formula_reduced === 'Si'),
  some('chemical_formula_reduced != "ClNa"', (s) => s.chemical_formula_reduced !== 'ClNa'),
  some('chemical_formula_reduced < "C"', (s) => s.chemical_formula_reduced < 'C'),
  some('chemical_formula_reduced >= "As"', (s) => s.chemical_formula_reduced >= 'As'),
  some('"O2Ti" <= chemical_formula_reduced', (s) => s.chemical_formula_reduced >= 'O2Ti'),
  some('"ClNa" = chemical_formula_reduced', (s) => s.chemical_formula_reduced === 'ClNa'),
  nothing('chemical_formula_reduced="TiO2"'),
  nothing('chemical_formula_reduced="O4Ti2"'),
  nothing('chemical_formula_reduced="O2Ti1"'),
  nothing('chemical_formula_reduced="SI"'),
  nothing('chemical_formula_reduced="Xx"'),
  nothing('chemical_formula_reduced=""'),
  everything('chemical_formula_reduced != "no formula"'),
  some('chemical_formula_anonymous="AB"', (s) => s.chemical_formula_anonymous === 'AB'),
  some('chemical_formula_anonymous!="A"', (s) => s.chemical_formula_anonymous !== 'A'),
  some('nperiodic_dimensions=3', (s) => s.nperiodic_dimensions === 3),
  some('nperiodic_dimensions<3', (s) => s.nperiodic_dimensions < 3),
  some('nperiodic_dimensions!=3', (s) => s.nperiodic_dimensions !== 3),
  everything('nperiodic_dimensions>=0'),
  nothing('nperiodic_dimensions=2'),
  everything('type="structures"'),
  nothing('type="references"'),
  everything('type!="references"'),
  everything('type CONTAINS "truct"'),
  some('_quarry_lattice_type="FCC"', (s) => s._quarry_lattice_type === 'FCC'),
  some('_quarry_chemical_system="Cl-Na"', (s) => s._quarry_chemical_system === 'Cl-Na'),
  some(
    '_quarry_volume<40',
    volume((v) => v < 40),
  ),
  some(
    '_quarry_volume != 40',
    volume((v) => v !== 40),
  ),
  some('_quarry_density > 7.5 AND _quarry_density < 12', ({ _quarry_density: d }) => d !== null && d > 7.5 && d < 12),
  some(
    '_quarry_space_group_number=225',
    group((n) => n === 225),
  ),
  some(
    '_quarry_space_group_number > 194',
    group((n) => n > 194),
  ),
  some('_quarry_crystal_system="cubic"', (s) => s._quarry_crystal_system === 'cubic'),
  some('space_group_it_number=225', (s) => s.space_group_it_number === 225),
  some('space_group_it_number < 195', (s) => s.space_group_it_number !== null && s.space_group_it_number < 195),
  some(
    'space_group_symbol_hall="-F 4 2 3"',
    hall((symbol) => symbol === '-F 4 2 3'),
  ),
  some(
    'space_group_symbol_hall != "-F 4 2 3"',
    hall((symbol) => symbol !== '-F 4 2 3'),
  ),
  some(
    'NOT space_group_symbol_hall < "-I"',
    hall((symbol) => symbol >= '-I'),
  ),
  some('space_group_symbol_hermann_mauguin = "F m -3 m"', (s) => s.space_group_symbol_hermann_mauguin === 'F m -3 m'),
  some('space_group_symbol_hermann_mauguin_extended >= "P"', (s) => {
    return (s.space_group_symbol_hermann_mauguin_extended ?? '') >= 'P'
  }),
  nothing('space_group_symbol_hermann_mauguin = "Fm-3m"'),
  some('site_coordinate_span = "unit_cell"', (s) => s.site_coordinate_span === 'unit_cell'),
  some('site_coordinate_span IS UNKNOWN', (s) => s.site_coordinate_span === null),
  everything('last_modified > "2020-01-01T00:00:00Z"'),
  nothing('last_modified < "2020-01-01T00:00:00.000+02:00"'),
  everything('last_modified > "2020-01-01t00:00:00.1234567890123z"'),
  nothing('last_modified <= "2020-01-01T00:00:00.0000001Z"'),
  everything('last_modified != "2020-01-01T00:00:00z"'),
  nothing('id = "no such id"'),
  everything('id != "no such id"'),
]

export const TEXTS: readonly OptimadeFilterCase[] = [
  some('chemical_formula_descriptive CONTAINS "O"', (s) => s.chemical_formula_descriptive.includes('O')),
  some('chemical_formula_descriptive STARTS WITH "Ti"', (s) => s.chemical_formula_descriptive.startsWith('Ti')),
  some('chemical_formula_descriptive STARTS "Ti"', (s) => s.chemical_formula_descriptive.startsWith('Ti')),
  some('chemical_formula_descriptive ENDS WITH "O3"', (s) => s.chemical_formula_descriptive.endsWith('O3')),
  some('chemical_formula_descriptive ENDS "O3"', (s) => s.chemical_formula_descriptive.endsWith('O3')),
  some('NOT chemical_formula_anonymous CONTAINS "B"', (s) => !s.chemical_formula_anonymous.includes('B')),
  everything('_quarry_name CONTAINS ""'),
  some('_quarry_name CONTAINS "("', (s) => s._quarry_name.includes('(')),
  some('_quarry_name CONTAINS "a \\"quoted\\" back\\\\slash"', (s) =>
    s._quarry_name.includes('a "quoted" back\\slash'),
  ),
  some('_quarry_name ENDS WITH "^$.|?*+()[]{}"', (s) => s._quarry_name.endsWith('^$.|?*+()[]{}')),
  some('_quarry_name = "Fe² — größer"', (s) => s._quarry_name === 'Fe² — größer'),
  some('_quarry_name CONTAINS "größ"', (s) => s._quarry_name.includes('größ')),
  some('chemical_formula_reduced STARTS WITH "Al"', (s) => s.chemical_formula_reduced.startsWith('Al')),
  some('chemical_formula_reduced ENDS WITH "Ti"', (s) => s.chemical_formula_reduced.endsWith('Ti')),
  some('chemical_formula_reduced CONTAINS "O"', (s) => s.chemical_formula_reduced.includes('O')),
  some(
    'space_group_symbol_hall CONTAINS "3"',
    hall((symbol) => symbol.includes('3')),
  ),
  some('NOT space_group_symbol_hermann_mauguin STARTS WITH "F"', (s) => {
    return s.space_group_symbol_hermann_mauguin?.startsWith('F') === false
  }),
  nothing('_quarry_name CONTAINS ".*silicon"'),
  nothing('_quarry_name STARTS WITH "a^"'),
]

export const LISTS: readonly OptimadeFilterCase[] = [
  some('elements HAS "Si"', (s) => s.elements.includes('Si')),
  some('NOT elements HAS "O"', (s) => !s.elements.includes('O')),
  some('elements HAS = "Si"', (s) => s.elements.includes('Si')),
  some('elements HAS != "Si"', (s) => s.elements.some((e) => e !== 'Si')),
  some('elements HAS < "B"', (s) => s.elements.some((e) => e < 'B')),
  some('elements HAS ALL "Al","O"', (s) => ['Al', 'O'].every((e) => s.elements.includes(e))),
  some('elements HAS ALL "O"', (s) => s.elements.includes('O')),
  some('elements HAS ALL > "N", < "C"', (s) => s.elements.some((e) => e > 'N') && s.elements.some((e) => e < 'C')),
  some('NOT elements HAS ALL "Al","O"', (s) => !['Al', 'O'].every((e) => s.elements.includes(e))),
  some('elements HAS ANY "Na", "Cl"', (s) => ['Na', 'Cl'].some((e) => s.elements.includes(e))),
  some('NOT elements HAS ANY "Na", "Cl", "O"', (s) => !['Na', 'Cl', 'O'].some((e) => s.elements.includes(e))),
  some('elements HAS ONLY "Na","Cl","K"', (s) => s.elements.every((e) => ['Na', 'Cl', 'K'].includes(e))),
  some('NOT elements HAS ONLY "Na","Cl","K"', (s) => !s.elements.every((e) => ['Na', 'Cl', 'K'].includes(e))),
  some('elements HAS ONLY >= "S"', (s) => s.elements.every((e) => e >= 'S')),
  some('elements LENGTH 3', (s) => s.elements.length === 3),
  some('elements LENGTH >= 3', (s) => s.elements.length >= 3),
  some('elements LENGTH != 1', (s) => s.elements.length !== 1),
  some('elements HAS ALL "Si","O" AND elements LENGTH 2', (s) => s.elements.join() === 'O,Si'),
  nothing('elements HAS "si"'),
  some('elements HAS STARTS WITH "S"', (s) => s.elements.some((e) => e.startsWith('S'))),
  some('elements HAS ALL STARTS WITH "S", ENDS "i"', (s) => {
    return s.elements.some((e) => e.startsWith('S')) && s.elements.some((e) => e.endsWith('i'))
  }),
  some('elements HAS ANY CONTAINS "l", = "O"', (s) => s.elements.some((e) => e.includes('l') || e === 'O')),
  some('elements HAS ONLY STARTS "S", CONTAINS "O"', (s) => {
    return s.elements.every((e) => e.startsWith('S') || e.includes('O'))
  }),
  some('_quarry_tags HAS ENDS WITH "ide"', (s) => s._quarry_tags?.some((tag) => tag.endsWith('ide')) === true),
  nothing('structure_features HAS ANY STARTS WITH "dis", CONTAINS "assem"'),
  some('cartesian_site_positions LENGTH 2', (s) => s.cartesian_site_positions.length === 2),
  some('fractional_site_positions LENGTH > 2', (s) => s.cartesian_site_positions.length > 2),
  some('species_at_sites LENGTH != 2', (s) => s.cartesian_site_positions.length !== 2),
  some('wyckoff_positions LENGTH <= 2', (s) => s.wyckoff_positions !== null && s.wyckoff_positions.length <= 2),
  everything('lattice_vectors LENGTH 3'),
  nothing('lattice_vectors LENGTH > 3'),
  some('elements_ratios HAS 0.5', (s) => s.elements_ratios.includes(0.5)),
  some('elements_ratios HAS 1', (s) => s.elements_ratios.includes(1)),
  some('elements_ratios HAS 0.3333333333333333', (s) => s.elements_ratios.includes(1 / 3)),
  some('elements_ratios HAS < 0.2', (s) => s.elements_ratios.some((r) => r < 0.2)),
  some('elements_ratios HAS ALL 0.2, 0.6', (s) => [0.2, 0.6].every((r) => s.elements_ratios.includes(r))),
  some('elements_ratios HAS ONLY 0.5, 0.25', (s) => s.elements_ratios.every((r) => r === 0.5 || r === 0.25)),
  some('elements_ratios LENGTH 2', (s) => s.elements_ratios.length === 2),
  some('dimension_types HAS 1', (s) => s.dimension_types.includes(1)),
  some('dimension_types HAS ONLY 0', (s) => s.dimension_types.every((d) => d === 0)),
  nothing('dimension_types HAS ALL 0, 1'),
  everything('dimension_types HAS ANY 0, 1'),
  everything('dimension_types LENGTH 3'),
  everything('structure_features LENGTH 0'),
  nothing('structure_features HAS "disorder"'),
  everything('structure_features HAS ONLY "disorder"'),
  some('_quarry_tags HAS "oxide"', hasTag('oxide')),
  some('_quarry_tags HAS ALL "oxide","mineral"', (s) => hasTag('oxide')(s) && hasTag('mineral')(s)),
  some('NOT _quarry_tags HAS "oxide"', (s) => s._quarry_tags !== null && !hasTag('oxide')(s)),
  some('_quarry_tags HAS ONLY "odd"', (s) => s._quarry_tags?.every((tag) => tag === 'odd') === true),
  some('_quarry_tags LENGTH 0', (s) => s._quarry_tags?.length === 0),
  some('_quarry_tags LENGTH > 4', (s) => s._quarry_tags !== null && s._quarry_tags.length > 4),
  some('_quarry_tags LENGTH <= 3', (s) => s._quarry_tags !== null && s._quarry_tags.length <= 3),
  some('_quarry_tags LENGTH != 3', (s) => s._quarry_tags !== null && s._quarry_tags.length !== 3),
  everything('_quarry_tags LENGTH >= 0'),
  nothing('_quarry_tags LENGTH < 0'),
  nothing('_quarry_tags LENGTH = -1'),
]

export const LOGIC: readonly OptimadeFilterCase[] = [
  some('nelements=1 OR nelements=3', (s) => s.nelements === 1 || s.nelements === 3),
  some('nelements=2 AND nsites=2', (s) => s.nelements === 2 && s.nsites === 2),
  some('nelements=1 OR nelements=2 AND nsites=2', (s) => s.nelements === 1 || (s.nelements === 2 && s.nsites === 2)),
  some('(nelements=1 OR nelements=2) AND nsites=2', (s) => s.nelements <= 2 && s.nsites === 2),
  some('NOT nelements=2 AND nsites=2', (s) => s.nelements !== 2 && s.nsites === 2),
  some('NOT (nelements=2 AND nsites=2)', (s) => !(s.nelements === 2 && s.nsites === 2)),
  some('NOT (nelements=2 OR nsites=2)', (s) => s.nelements !== 2 && s.nsites !== 2),
  some('NOT (NOT (nelements=2))', (s) => s.nelements === 2),
  some('((((nelements=2))))', (s) => s.nelements === 2),
  some('nelements=1ANDnsites=1', (s) => s.nelements === 1 && s.nsites === 1),
  some('NOTelementsHASALL"Al","O"ANDnsites>=8.ANDNOTnelements=1', (s) => {
    return !['Al', 'O'].every((e) => s.elements.includes(e)) && s.nsites >= 8 && s.nelements !== 1
  }),
  some('chemical_formula_descriptiveSTARTSWITH"Ti"', (s) => s.chemical_formula_descriptive.startsWith('Ti')),
  some('_quarry_volumeISUNKNOWN', (s) => s._quarry_volume === null),
  some('  nelements\t=\n2  ', (s) => s.nelements === 2),
  some('NOT(elements HAS"O"OR nsites<3)AND nelements>1', (s) => {
    return !(s.elements.includes('O') || s.nsites < 3) && s.nelements > 1
  }),
  some('NOT ( chemical_formula_descriptive = "Al" OR chemical_formula_anonymous = "A2B" AND NOT nsites < 5 )', (s) => {
    return !(s.chemical_formula_descriptive === 'Al' || (s.chemical_formula_anonymous === 'A2B' && s.nsites >= 5))
  }),
]

export const UNKNOWNS: readonly OptimadeFilterCase[] = [
  some('_quarry_volume IS KNOWN', (s) => s._quarry_volume !== null),
  some('_quarry_volume IS UNKNOWN', (s) => s._quarry_volume === null),
  some('NOT _quarry_volume IS KNOWN', (s) => s._quarry_volume === null),
  some('NOT _quarry_volume IS UNKNOWN', (s) => s._quarry_volume !== null),
  some(
    'NOT _quarry_volume > 40',
    volume((v) => !(v > 40)),
  ),
  some('NOT (_quarry_volume > 40 OR nelements = 2)', (s) => volume((v) => !(v > 40))(s) && s.nelements !== 2),
  some('NOT (_quarry_volume > 40 AND nelements = 2)', (s) => volume((v) => !(v > 40))(s) || s.nelements !== 2),
  nothing('_quarry_tags IS UNKNOWN'),
  some('space_group_symmetry_operations_xyz IS KNOWN', (s) => s.space_group_symmetry_operations_xyz !== null),
  some('space_group_symmetry_operations_xyz IS UNKNOWN', (s) => s.space_group_symmetry_operations_xyz === null),
  some('space_group_symbol_hall IS UNKNOWN', (s) => s.space_group_symbol_hall === null),
  some('wyckoff_positions IS KNOWN', (s) => s.wyckoff_positions !== null),
  everything('optimization_type IS UNKNOWN AND site_coordinate_span_description IS UNKNOWN'),
  everything('fractional_site_positions IS KNOWN'),
  nothing('optimization_type = "local"'),
  some('_quarry_space_group_number IS UNKNOWN', (s) => s._quarry_space_group_number === null),
  some(
    'NOT _quarry_space_group_number = 225',
    group((n) => n !== 225),
  ),
  everything('id IS KNOWN'),
  everything('nelements IS KNOWN AND elements IS KNOWN AND elements_ratios IS KNOWN AND last_modified IS KNOWN'),
  everything('lattice_vectors IS KNOWN AND species IS KNOWN AND NOT cartesian_site_positions IS UNKNOWN'),
  nothing('nsites IS UNKNOWN'),
  nothing('immutable_id IS KNOWN'),
  everything('immutable_id IS UNKNOWN'),
  nothing('immutable_id = "x"'),
  nothing('NOT immutable_id = "x"'),
  nothing('immutable_id != "x"'),
  nothing('chemical_formula_hill = "H2O2"'),
  everything('chemical_formula_hill IS UNKNOWN'),
  nothing('_exmpl_band_gap < 2'),
  nothing('NOT _exmpl_band_gap < 2'),
  nothing('_exmpl_band_gap = "text"'),
  nothing('_exmpl_flags HAS ALL 1, "a" OR _exmpl_flags LENGTH 2 OR _exmpl_name CONTAINS "a"'),
  everything('_exmpl_band_gap IS UNKNOWN'),
  nothing('_exmpl_isMetal'),
  nothing('NOT _exmpl_isMetal'),
  nothing('_exmpl_isMetal = TRUE OR FALSE != _exmpl_isMetal OR _exmpl_flags HAS ANY TRUE, FALSE'),
  some('_exmpl_isMetal OR nelements = 2', (s) => s.nelements === 2),
  nothing('_exmpl_nested.name IS KNOWN'),
  some('_exmpl_band_gap<2 OR nelements=2', (s) => s.nelements === 2),
]
