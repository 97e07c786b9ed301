import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  isMolecule,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../../crystal.ts'
import { findElement, massOfAtom } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { itemAt, length, type Vector3 } from '../../linear-algebra.ts'
import { sitesWithSpecies } from '../../near-pairs.ts'
import { isPartial, occupancyOf } from '../../occupancy.ts'
import { hasNonZero, type StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { requireAtoms, requireFewAtoms } from '../common/text.ts'
import { type ArrayPrinter, occupancyOfKinds, occupantsOf, unpackArray } from './ase-occupancy.ts'
import {
  asFlags,
  asMatrix,
  asNumber,
  asVector,
  objectField,
  parseJson,
  restOf,
  take,
  takeWhole,
  textField,
  wrongField,
} from './json-fields.ts'
import { JsonSplitter, type JsonStructures } from './list-splitter.ts'

/** Atoms of the Atomic Simulation Environment: one object as `ase.io.jsonio` writes it, or rows of a database. */
export const aseFormat: StructureFormat = {
  name: 'ase',
  title: 'ASE JSON',
  extensions: [],
  recognizes: (text) => /^\s*\{/.test(text) && /"numbers"\s*:/.test(text) && /"positions"\s*:/.test(text),
  splitter: (limits) => new JsonSplitter(limits, ROWS),
  parse: parseAse,
  print: printAse,
  writes: [
    'title',
    'moments',
    'crossMoments',
    'isotopes',
    'oxidationStates',
    'fixedAtoms',
    'occupancies',
    'disorderGroups',
    'molecules',
    'directions',
  ],
}

/** Reads one set of atoms; lattice vectors that are zero are made up for, so that every atom has a place in a cell. */
export function parseAse(text: string, options: ReadOptions = {}): Crystal {
  const document = parseJson(text)
  if (!isJsonObject(document)) throw wrongField('The document', document, 'an object')
  const warnings: StructureWarning[] = []
  const atoms = chooseRow(document)
  const numbers = listOf(unpackArray(takeWhole(atoms, 'numbers'), 'numbers'), 'numbers')
  const places = listOf(unpackArray(takeWhole(atoms, 'positions'), 'positions'), 'positions').map((place, index) =>
    asVector(place, `positions[${index}]`),
  )
  requireFewAtoms(numbers.length, options)
  if (numbers.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'numbers is empty.', { path: 'numbers' })
  if (numbers.length !== places.length) {
    throw refusal(FORMAT_ERRORS.inconsistentCounts, `${numbers.length} numbers but ${places.length} positions.`, {
      path: 'positions',
    })
  }
  const { lattice, complete } = readCell(atoms, places, warnings)
  const flags = asFlags(unpackArray(takeWhole(atoms, 'pbc') ?? null, 'pbc'), PERIODIC)
  const fixed = fixedIndices(atoms)
  const fractions = fractionsOf(places, lattice)
  const names = new SpeciesNames('Use 1 to 118.')
  const species = numbers.map((number, index) => {
    const path = `numbers[${index}]`
    return names.ofNumber(asNumber(number, path), { path })
  })
  const occupants = occupantsOf(atoms, species, names)
  const [details, masses] = [siteDetails(atoms), takeList(atoms, 'masses')]
  const sites = numbers.flatMap((_, index): readonly CrystalSite[] =>
    (occupants[index] ?? []).map((occupant, _place, all) => ({
      // A mass is that of one species.
      ...(all.length === 1 ? (names.withMass(occupant, masses[index]) ?? occupant) : occupant),
      fraction: fractions[index] as Vector3,
      ...(fixed.has(index) ? { movable: [false, false, false] as const } : {}),
      ...details(index),
    })),
  )
  warnings.push(...names.warnings)
  const info = take(atoms, 'info')
  return requireAtoms({
    title: (isJsonObject(info) ? textField(info, 'name') : undefined) ?? '',
    lattice,
    periodic: [flags[0] && complete[0], flags[1] && complete[1], flags[2] && complete[2]],
    sites,
    warnings,
    rest: restOf(atoms),
  })
}

const MOMENTS = ['initial_magmoms', 'magmoms'] as const
function listOrNone(atoms: JsonObject, name: string): readonly Json[] {
  const list = unpackArray(ownField(atoms, name), name)
  return isJsonArray(list) ? list : []
}

function takeList(atoms: JsonObject, name: string): readonly Json[] {
  takeWhole(atoms, name)
  return listOrNone(atoms, name)
}

/** Arrays with one value for each atom: moments, and what this server writes beside them. */
function siteDetails(atoms: JsonObject): (index: number) => Partial<CrystalSite> {
  const listNamed = (name: string): readonly Json[] => takeList(atoms, name)
  const moments = listNamed(MOMENTS.find((name) => listOrNone(atoms, name).some(hasNonZero)) ?? MOMENTS[0])
  const states = listNamed('oxidation_states')
  const [assemblies, groups] = [listNamed('disorder_assemblies'), listNamed('disorder_groups')]
  return (index) => {
    const [moment, state, group] = [moments[index], states[index], groups[index]]
    return {
      ...(moment !== undefined && hasNonZero(moment)
        ? { moment: typeof moment === 'number' ? [0, 0, moment] : asVector(moment, `magmoms[${index}]`) }
        : {}),
      ...(typeof state === 'number' && state !== 0 ? { oxidationState: state } : {}),
      ...(typeof group === 'string' && group !== ''
        ? { disorder: { assembly: String(assemblies[index] ?? ''), group } }
        : {}),
    }
  }
}

/** The rows of a database have numbers; its other members tell of all of them. */
const ROWS: JsonStructures = {
  isList: false,
  isStructure: (key) => (/^\d+$/.test(key) ? 'itself' : false),
  alone: (text, key) => `{"ids": [${Number(key)}], "${Number(key)}": ${text}}`,
}

/** The object itself, or the row of a database. */
function chooseRow(document: JsonObject): JsonObject {
  if (ownField(document, 'numbers') !== undefined) return document
  const key = Object.keys(document).find((name) => /^\d+$/.test(name))
  if (key === undefined) throw refusal(FORMAT_ERRORS.noStructure, 'The database has no rows.', {})
  return objectField(document, key, '')
}

function listOf(value: Json | undefined, path: string): readonly Json[] {
  if (isJsonArray(value)) return value
  throw wrongField(path, value, 'a list')
}

function readCell(atoms: JsonObject, places: readonly Vector3[], warnings: StructureWarning[]) {
  const raw = unpackArray(takeWhole(atoms, 'cell'), 'cell')
  const flat = isJsonArray(raw) && raw.length === 3 && raw.every((value) => typeof value === 'number')
  const rows = raw === undefined || raw === null ? [] : flat ? diagonal(asVector(raw, 'cell')) : asMatrix(raw, 'cell')
  const vectors = [0, 1, 2]
    .map((axis) => rows[axis])
    .map((row) => (row === undefined || length(row) === 0 ? undefined : row))
  const complete = vectors.map((row) => row !== undefined)
  if (complete.includes(false)) {
    const message = 'Lattice vectors that are missing are made up, with space around the atoms.'
    warnings.push({ code: 'no-lattice', message })
  }
  return { lattice: completeCell(vectors, places), complete: complete as [boolean, boolean, boolean] }
}

function diagonal([a, b, c]: Vector3): readonly Vector3[] {
  return [
    [a, 0, 0],
    [0, b, 0],
    [0, 0, c],
  ]
}

/** Atoms that FixAtoms holds in place. */
function fixedIndices(atoms: JsonObject): ReadonlySet<number> {
  const constraints = take(atoms, 'constraints')
  const fixed = new Set<number>()
  for (const constraint of isJsonArray(constraints) ? constraints : []) {
    if (!isJsonObject(constraint) || textField(constraint, 'name') !== 'FixAtoms') continue
    const kwargs = take(constraint, 'kwargs')
    const indices = isJsonObject(kwargs)
      ? unpackArray(takeWhole(kwargs, 'indices'), 'constraints.kwargs.indices')
      : undefined
    for (const index of isJsonArray(indices) ? indices : []) if (typeof index === 'number') fixed.add(index)
  }
  return fixed
}

/** Writes a database of one row, which `ase.io.read` reads. */
export function printAse(crystal: Crystal): string {
  const array = (shape: readonly number[], type: string, values: readonly unknown[]) => ({
    __ndarray__: [shape, type, values],
  })
  const rows = sitesWithSpecies(crystal, isPlain)
  const count = rows.length
  const sites = rows.map((members) => majorOf(members.map((index) => itemAt(crystal.sites, index))))
  const places = toCartesian(
    sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const numbers = sites.map((site) => findElement(site.element)?.number ?? 0)
  const fixed = sites.flatMap((site, index) =>
    site.movable === undefined || site.movable.includes(true) ? [] : [index],
  )
  const kinds = crystal.sites.some(isPartial) ? occupancyOfKinds(crystal, rows, array) : undefined
  const info = {
    ...(crystal.title === '' ? {} : { name: crystal.title }),
    ...(kinds === undefined ? {} : { occupancy: kinds.occupancy }),
  }
  const row = {
    numbers: array([count], 'int64', numbers),
    positions: array([count, 3], 'float64', places.flat()),
    cell: {
      array: array([3, 3], 'float64', isMolecule(crystal) ? new Array(9).fill(0) : crystal.lattice.flat()),
      __ase_objtype__: 'cell',
    },
    pbc: array([3], 'bool', crystal.periodic),
    ...detailArrays(sites, array),
    ...(kinds === undefined ? {} : { spacegroup_kinds: kinds.spacegroup_kinds }),
    ...(Object.keys(info).length === 0 ? {} : { info }),
    ...(fixed.length === 0 ? {} : { constraints: [{ name: 'FixAtoms', kwargs: { indices: fixed } }] }),
    unique_id: '',
    ctime: 0,
    mtime: 0,
    user: '',
  }
  return `${JSON.stringify({ '1': row, ids: [1], nextid: 2 })}\n`
}

/** Species that fit into one list: ASE knows shares by element alone. */
function isPlain({ oxidationState, isotope }: CrystalSite): boolean {
  return oxidationState === undefined && isotope === undefined
}

/** The species that stands for a site: the first of the most frequent ones. */
function majorOf(species: readonly CrystalSite[]): CrystalSite {
  return species.reduce((most, one) => (occupancyOf(one) > occupancyOf(most) ? one : most))
}

function detailArrays(sites: readonly CrystalSite[], array: ArrayPrinter): object {
  const count = sites.length
  const has = (name: keyof CrystalSite): boolean => sites.some((site) => site[name] !== undefined)
  return {
    ...(has('moment')
      ? {
          initial_magmoms: array(
            [count, 3],
            'float64',
            sites.flatMap(({ moment }) => moment ?? [0, 0, 0]),
          ),
        }
      : {}),
    ...(has('isotope') ? { masses: array([count], 'float64', sites.map(massOfAtom)) } : {}),
    ...(has('oxidationState')
      ? {
          oxidation_states: array(
            [count],
            'float64',
            sites.map(({ oxidationState }) => oxidationState ?? 0),
          ),
        }
      : {}),
    ...(has('disorder')
      ? {
          disorder_assemblies: sites.map(({ disorder }) => disorder?.assembly ?? ''),
          disorder_groups: sites.map(({ disorder }) => disorder?.group ?? ''),
        }
      : {}),
  }
}
