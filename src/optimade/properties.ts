import type { Json } from '../kernel/json.ts'
import { EVERYTHING, type FilterNode, field } from '../query/ast/filter.ts'
import { countedList, elementList, fixedList, fixedScalar, ratioList, textList } from './fields.ts'
import { answered, copied, own, type Property, unset, written } from './property.ts'
import { allOf, anyOf, comparison, hasItem, holds, isPresent, NOTHING, not } from './queryable.ts'
import { RESULT_PROPERTIES } from './result-properties.ts'
import { DIRECTION_FIELDS } from './structure-source.ts'
import { SYMMETRY_PROPERTIES } from './symmetry-properties.ts'

/** The entry type of materials. */
export const STRUCTURES = 'structures'

const NOT_PERIODIC = field('isNonPeriodic', { operator: '$eq', value: true })
/** Records that repeat along all three vectors need not say so. */
const PERIODIC = allOf([
  field('isNonPeriodic', { operator: '$eq', value: false }),
  not(field('periodicDirections', { operator: '$eq', value: false })),
])

const IN_PART = [
  [1, 1, 0],
  [1, 0, 1],
  [0, 1, 1],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const

/** Values of `dimension_types`, and the records that have them. */
const DIRECTIONS: readonly { readonly value: readonly number[]; readonly filter: FilterNode }[] = [
  { value: [1, 1, 1], filter: PERIODIC },
  { value: [0, 0, 0], filter: NOT_PERIODIC },
  ...IN_PART.map((value) => ({
    value,
    filter: field('periodicDirections', { operator: '$eq', value: value.map((flag) => flag === 1) }),
  })),
]

function directionsOf(count: number): FilterNode {
  const having = DIRECTIONS.filter(({ value }) => value.reduce((sum, flag) => sum + flag, 0) === count)
  return anyOf(having.map(({ filter }) => filter))
}

const DISORDERED = field('structureFeatures', { operator: '$eq', value: 'disorder' })
const HAS_GROUPS = hasItem('basis.disorder', 0)

/** A list that has an item for each site. */
const FOR_EACH_SITE = countedList('nSites', EVERYTHING)
const VECTORS = 3

/** Values of `structure_features`: shares and vacancies, and groups of sites that exclude each other. */
const FEATURES = [
  { value: [], filter: allOf([not(DISORDERED), not(HAS_GROUPS)]) },
  { value: ['disorder'], filter: allOf([DISORDERED, not(HAS_GROUPS)]) },
  { value: ['assemblies'], filter: allOf([not(DISORDERED), HAS_GROUPS]) },
  { value: ['assemblies', 'disorder'], filter: allOf([DISORDERED, HAS_GROUPS]) },
]
/** Names the structures that are the same crystal, which no field of a record has. */
export const SAME_AS = '_quarry_same_as'

/** Selects the materials that are structures: sets of materials have no sites. */
export const IS_STRUCTURE = field('nSites', comparison('>=', 1))

/** Every property of structures by name: those of the specification, then this server's own. */
export const STRUCTURE_PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  ['id', own('_id', 'string', 'always', 'The id of the material, which never changes.')],
  [
    'type',
    {
      description: 'The entry type.',
      type: 'string',
      isDefault: true,
      reads: [],
      write: written(() => STRUCTURES),
      queryable: fixedScalar('string', [{ value: STRUCTURES, filter: EVERYTHING }]),
    },
  ],
  ['immutable_id', unset('The id of one version of the entry; versions have none, so it is always unknown.')],
  ['last_modified', own('updatedAt', 'timestamp', 'always', 'When the material was last written.')],
  [
    'elements',
    {
      description: 'The symbols of the elements, in alphabetical order.',
      type: 'list',
      isDefault: true,
      reads: ['elements'],
      write: copied('elements'),
      queryable: elementList('elements', 'nElements'),
    },
  ],
  ['nelements', own('nElements', 'integer', 'always', 'The number of different elements.')],
  [
    'elements_ratios',
    answered(
      'The proportion of each of `elements`. Filters compare them to six significant digits.',
      ({ ratios }) => [...ratios.values()],
      ratioList('nElements'),
    ),
  ],
  [
    'chemical_formula_descriptive',
    own('formula', 'string', 'always', 'The formula in lowest terms, the least electronegative element first.'),
  ],
  [
    'chemical_formula_reduced',
    own('formulaReduced', 'string', 'always', 'The formula in lowest terms, elements in alphabetical order.'),
  ],
  ['chemical_formula_hill', unset('The formula of the relevant unit in Hill order; always unknown.')],
  [
    'chemical_formula_anonymous',
    own('anonymousFormula', 'string', 'always', 'The formula with letters for elements, the most frequent first.'),
  ],
  [
    'dimension_types',
    {
      description: 'For each lattice vector 1 where the structure repeats along it, else 0.',
      type: 'list',
      isDefault: true,
      reads: DIRECTION_FIELDS,
      write: written(({ periodic }) => periodic.map(Number)),
      queryable: fixedList('integer', DIRECTIONS),
    },
  ],
  [
    'nperiodic_dimensions',
    {
      description: 'The number of lattice vectors along which the structure repeats.',
      type: 'integer',
      isDefault: true,
      reads: DIRECTION_FIELDS,
      write: written(({ periodic }) => periodic.filter(Boolean).length),
      queryable: fixedScalar(
        'integer',
        [3, 2, 1, 0].map((value) => ({ value, filter: directionsOf(value) })),
      ),
    },
  ],
  [
    'lattice_vectors',
    {
      ...answered('The lattice vectors as rows; those of a molecule are its box.', ({ vectors }) => vectors, {
        known: EVERYTHING,
        compareLength: (sign, length) => (holds(sign, VECTORS, length) ? EVERYTHING : NOTHING),
      }),
      unit: 'angstrom',
    },
  ],
  ...SYMMETRY_PROPERTIES,
  [
    'cartesian_site_positions',
    {
      ...answered('The Cartesian position of each site.', ({ positions }) => positions, FOR_EACH_SITE),
      unit: 'angstrom',
    },
  ],
  [
    'fractional_site_positions',
    {
      ...answered(
        'The position of each site in fractions of the lattice vectors.',
        ({ sites }) => sites.fractions,
        FOR_EACH_SITE,
      ),
      isDefault: false,
    },
  ],
  [
    'site_coordinate_span',
    {
      description: 'What the sites make up: `unit_cell`, unknown for a molecule in its box.',
      type: 'string',
      isDefault: false,
      reads: DIRECTION_FIELDS,
      write: written(({ periodic }) => (periodic.includes(true) ? 'unit_cell' : null)),
      queryable: fixedScalar('string', [{ value: 'unit_cell', filter: not(NOT_PERIODIC) }]),
    },
  ],
  ['site_coordinate_span_description', unset('What other sites there are than those of a unit cell; always unknown.')],
  ['nsites', own('nSites', 'integer', 'always', 'The number of sites.')],
  [
    'species_at_sites',
    answered('The name of the species at each site.', ({ sites }) => sites.speciesAtSites, FOR_EACH_SITE),
  ],
  [
    'species',
    answered(
      'What the names of species stand for: the elements of a site with their shares, `vacancy` for what is not there.',
      ({ sites }) => sites.species as unknown as Json,
    ),
  ],
  [
    'assemblies',
    {
      ...answered('Groups of sites that exclude each other, and how probable each is.', ({ sites }) =>
        sites.assemblies.length === 0 ? null : (sites.assemblies as unknown as Json),
      ),
      queryable: { known: HAS_GROUPS },
    },
  ],
  [
    '_quarry_magnetic_moments',
    {
      ...answered(
        'The magnetic moment of each site, Cartesian.',
        ({ sites }) => (sites.moments as Json | undefined) ?? null,
      ),
      unit: 'bohr_magneton',
      queryable: { known: hasItem('basis.magneticMoments', 0) },
    },
  ],
  [
    'structure_features',
    answered(
      'What is unusual about the sites: `disorder` where one is shared by species or empty in some cells, `assemblies` where groups of them exclude each other.',
      ({ sites }) => sites.features,
      fixedList('string', FEATURES),
    ),
  ],
  ['optimization_type', unset('How the structure was optimized; always unknown.')],
  ['_quarry_name', own('name', 'string', 'perhaps', 'What people call the material.')],
  [
    '_quarry_tags',
    {
      description: 'Labels to find the material by.',
      type: 'list',
      isDefault: true,
      reads: ['tags'],
      write: copied('tags'),
      queryable: textList('tags'),
    },
  ],
  ['_quarry_hash', own('hash', 'string', 'always', 'The same for the same structure, however its cell is given.')],
  ['_quarry_scaled_hash', own('scaledHash', 'string', 'always', 'The hash of the structure whatever its size.')],
  ['_quarry_unit_cell_formula', own('unitCellFormula', 'string', 'always', 'The contents of the cell.')],
  ['_quarry_chemical_system', own('chemicalSystem', 'string', 'always', 'The elements joined by hyphens: `O-Si`.')],
  ['_quarry_lattice_type', own('lattice.type', 'string', 'always', 'The Bravais lattice: `FCC`, `HEX`.')],
  ['_quarry_volume', { ...own('volume', 'float', 'perhaps', 'The volume of the cell.'), unit: 'angstrom^3' }],
  ['_quarry_density', { ...own('density', 'float', 'perhaps', 'The mass density.'), unit: 'g/cm^3' }],
  ['_quarry_space_group_number', own('spaceGroup.number', 'integer', 'perhaps', 'The number of the space group.')],
  ['_quarry_space_group_symbol', own('spaceGroup.symbol', 'string', 'perhaps', 'The symbol of the space group.')],
  ['_quarry_crystal_system', own('spaceGroup.crystalSystem', 'string', 'perhaps', 'The crystal system.')],
  [
    SAME_AS,
    {
      ...answered(
        'The ids of the public structures that are the same crystal in any cell and with any origin, no atom off by more than 0.02 Å and no length by more than 0.1 %, the nearest first; 20 candidates are compared, and `meta.warnings` says where there are more. Only where `response_fields` names it.',
        ({ same }) => same,
      ),
      isDefault: false,
      queryable: {
        known: isPresent('fingerprint'),
        instead: 'Name it in response_fields, or ask GET /materials/{id}/same of the API of records.',
      },
    },
  ],
  ['_quarry_point_group', own('spaceGroup.pointGroup', 'string', 'perhaps', 'The point group.')],
  ...RESULT_PROPERTIES,
])
