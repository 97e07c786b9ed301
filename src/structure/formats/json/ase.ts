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
import { findElement } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { length, type Vector3 } from '../../linear-algebra.ts'
import { DroppedQuantities, type DroppedQuantity, hasNonZero } from '../common/dropped-quantities.ts'
import { chooseFrame, type StructureFormat } from '../common/format.ts'
import { disordered, elementNumbered, isWhole } from '../common/species.ts'
import { requireFewAtoms, shorten } from '../common/text.ts'
import { asFlags, asMatrix, asNumber, asVector, objectField, parseJson, textField, wrongField } from './json-fields.ts'

/** Atoms of the Atomic Simulation Environment: one object as `ase.io.jsonio` writes it, or rows of a database. */
export const aseFormat: StructureFormat = {
  name: 'ase',
  title: 'ASE JSON',
  extensions: [],
  recognizes: (text) => /^\s*\{/.test(text) && /"numbers"\s*:/.test(text) && /"positions"\s*:/.test(text),
  hasFrames: true,
  parse: parseAse,
  print: printAse,
  hasDirections: true,
}

/** Reads one set of atoms; lattice vectors that are zero are made up for, so that every atom has a place in a cell. */
export function parseAse(text: string, options: ReadOptions = {}): Crystal {
  const document = parseJson(text)
  if (!isJsonObject(document)) throw wrongField('The document', document, 'an object')
  const warnings: StructureWarning[] = []
  const atoms = chooseRow(document, options, warnings)
  const numbers = listOf(unpackArray(ownField(atoms, 'numbers'), 'numbers'), 'numbers')
  const places = listOf(unpackArray(ownField(atoms, 'positions'), 'positions'), 'positions').map((place, index) =>
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
  refuseDisorder(ownField(atoms, 'info'))
  const flags = asFlags(unpackArray(ownField(atoms, 'pbc') ?? null, 'pbc'), PERIODIC)
  const fixed = fixedIndices(atoms)
  const fractions = fractionsOf(places, lattice)
  const sites = numbers.map(
    (number, index): CrystalSite => ({
      element: elementAt(number, index),
      fraction: fractions[index] as Vector3,
      ...(fixed.has(index) ? { movable: [false, false, false] as const } : {}),
    }),
  )
  warnings.push(...unkeptOf(atoms, sites).warnings)
  const info = ownField(atoms, 'info')
  return {
    title: (isJsonObject(info) ? textField(info, 'name') : undefined) ?? '',
    lattice,
    periodic: [flags[0] && complete[0], flags[1] && complete[1], flags[2] && complete[2]],
    sites,
    warnings,
  }
}

const ARRAYS: readonly (readonly [string, DroppedQuantity])[] = [
  ['initial_magmoms', 'Magnetic moments'],
  ['magmoms', 'Magnetic moments'],
  ['magmom', 'Magnetic moments'],
  ['initial_charges', 'Charges'],
  ['charges', 'Charges'],
  ['charge', 'Charges'],
]

function unkeptOf(atoms: JsonObject, sites: readonly CrystalSite[]): DroppedQuantities {
  const dropped = new DroppedQuantities()
  for (const [name, quantity] of ARRAYS) {
    if (hasNonZero(unpackArray(ownField(atoms, name), name))) dropped.note(quantity, name)
  }
  const masses = unpackArray(ownField(atoms, 'masses'), 'masses')
  if (!isJsonArray(masses)) return dropped
  for (const [index, { element }] of sites.entries()) {
    const mass = masses[index]
    if (typeof mass === 'number') dropped.noteMass(element, mass)
  }
  return dropped
}

/** `crystal()` of ASE keeps the shares of the atoms on each kind of site: `{"0": {"Cu": 0.75, "Au": 0.25}}`. */
function refuseDisorder(info: Json | undefined): void {
  const occupancy = isJsonObject(info) ? ownField(info, 'occupancy') : undefined
  if (!isJsonObject(occupancy)) return
  for (const [kind, shares] of Object.entries(occupancy)) {
    const list = isJsonObject(shares) ? Object.values(shares) : []
    if (list.length <= 1 && list.every(isWhole)) continue
    throw disordered(`Sites of kind ${kind} are shared or partly occupied: ${shorten(JSON.stringify(shares), 120)}.`, {
      path: `info.occupancy.${kind}`,
    })
  }
}

/** The object itself, or a row of a database. */
function chooseRow(document: JsonObject, options: ReadOptions, warnings: StructureWarning[]): JsonObject {
  const isAtoms = ownField(document, 'numbers') !== undefined
  const ids = ownField(document, 'ids')
  const keys = isJsonArray(ids) ? ids.map(String) : Object.keys(document).filter((key) => /^\d+$/.test(key))
  if (!isAtoms && keys.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The database has no rows.', {})
  const chosen = chooseFrame(isAtoms ? 1 : keys.length, options, warnings)
  return isAtoms ? document : objectField(document, keys[chosen] as string, '')
}

/** An array as numpy arrays are written, `{"__ndarray__": [shape, type, values]}`, or a plain list. */
function unpackArray(value: Json | undefined, path: string): Json | undefined {
  if (!isJsonObject(value)) return value
  const inner = ownField(value, 'array') ?? ownField(value, '__ndarray__')
  if (ownField(value, 'array') !== undefined) return unpackArray(ownField(value, 'array'), `${path}.array`)
  if (!isJsonArray(inner) || inner.length !== 3)
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [shape, , values] = inner
  if (!isJsonArray(shape) || !isJsonArray(values))
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [, width] = shape
  if (shape.length !== 2 || typeof width !== 'number' || isJsonArray(values[0])) return values
  if (!(Number.isInteger(width) && width > 0)) return []
  return Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  )
}

function listOf(value: Json | undefined, path: string): readonly Json[] {
  if (isJsonArray(value)) return value
  throw wrongField(path, value, 'a list')
}

function elementAt(number: Json, index: number): string {
  const atomic = asNumber(number, `numbers[${index}]`)
  const element = elementNumbered(atomic)
  if (element !== undefined) return element
  throw refusal(FORMAT_ERRORS.unknownSpecies, `numbers[${index}] is ${atomic}, which is no atomic number.`, {
    path: `numbers[${index}]`,
    hint: 'Use 1 to 118; an X (0) of ASE is no element.',
  })
}

function readCell(atoms: JsonObject, places: readonly Vector3[], warnings: StructureWarning[]) {
  const raw = unpackArray(ownField(atoms, 'cell'), 'cell')
  const flat = isJsonArray(raw) && raw.length === 3 && raw.every((value) => typeof value === 'number')
  const rows = raw === undefined || raw === null ? [] : flat ? diagonal(asVector(raw, 'cell')) : asMatrix(raw, 'cell')
  const vectors = [0, 1, 2]
    .map((axis) => rows[axis])
    .map((row) => (row === undefined || length(row) === 0 ? undefined : row))
  const complete = vectors.map((row) => row !== undefined)
  if (complete.includes(false)) {
    warnings.push({
      code: 'no-lattice',
      message: 'Lattice vectors that are missing are made up, with space around the atoms.',
    })
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
  const constraints = ownField(atoms, 'constraints')
  const fixed = new Set<number>()
  for (const constraint of isJsonArray(constraints) ? constraints : []) {
    if (!isJsonObject(constraint) || textField(constraint, 'name') !== 'FixAtoms') continue
    const kwargs = ownField(constraint, 'kwargs')
    const indices = isJsonObject(kwargs)
      ? unpackArray(ownField(kwargs, 'indices'), 'constraints.kwargs.indices')
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
  const count = crystal.sites.length
  const places = toCartesian(
    crystal.sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const numbers = crystal.sites.map((site) => findElement(site.element)?.number ?? 0)
  const fixed = crystal.sites.flatMap((site, index) =>
    site.movable === undefined || site.movable.includes(true) ? [] : [index],
  )
  const row = {
    numbers: array([count], 'int64', numbers),
    positions: array([count, 3], 'float64', places.flat()),
    cell: {
      array: array([3, 3], 'float64', isMolecule(crystal) ? new Array(9).fill(0) : crystal.lattice.flat()),
      __ase_objtype__: 'cell',
    },
    pbc: array([3], 'bool', crystal.periodic),
    ...(fixed.length === 0 ? {} : { constraints: [{ name: 'FixAtoms', kwargs: { indices: fixed } }] }),
    unique_id: '',
    ctime: 0,
    mtime: 0,
    user: '',
  }
  return `${JSON.stringify({ '1': row, ids: [1], nextid: 2 })}\n`
}
