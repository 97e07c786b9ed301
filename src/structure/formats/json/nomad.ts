import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  PERIODIC,
  type ReadOptions,
  type StructureLimits,
  type StructureWarning,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { length, type Vector3 } from '../../linear-algebra.ts'
import { labelled } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { withSpeciesTags } from '../common/species-labels.ts'
import { SpeciesNames } from '../common/species-names.ts'
import type { FileFrame, FrameSplitter } from '../common/splitter.ts'
import { requireAtoms, requireFewAtoms } from '../common/text.ts'
import { ENTRIES, readEntry } from './entries.ts'
import {
  asFlags,
  asVector,
  listField,
  objectField,
  restOf,
  take,
  takeAll,
  takeWhole,
  wrongField,
} from './json-fields.ts'
import { JsonSplitter } from './list-splitter.ts'

/** Archives of NOMAD: the systems of their runs. All lengths are metres. */
export const nomadFormat: StructureFormat = {
  name: 'nomad',
  title: 'NOMAD archive',
  extensions: [],
  recognizes: (text) =>
    /^\s*[[{]/.test(text) &&
    /"lattice_vectors"\s*:/.test(text) &&
    /"run"\s*:\s*\[/.test(text) &&
    /"labels"\s*:/.test(text),
  splitter: (limits) => new SystemSplitter(limits),
  parse: parseNomad,
}

const ANGSTROM_PER_METRE = 1e10

/** Entries of a response by their `archive`s; the systems of one are frames too. */
class SystemSplitter implements FrameSplitter {
  readonly isOver = false
  readonly #entries: JsonSplitter

  constructor(limits: StructureLimits) {
    this.#entries = new JsonSplitter(limits, ENTRIES)
  }

  *read(piece: string): Generator<FileFrame> {
    for (const entry of this.#entries.read(piece)) yield* systemsOf(entry)
  }

  *end(): Generator<FileFrame> {
    for (const entry of this.#entries.end()) yield* systemsOf(entry)
  }
}

/** Name, in the text of a frame, of what the archive says of all of its systems together, which no frame has. */
const NOT_IN_FRAMES = 'not_in_frames'
const MOST_NAMED = 60

/** Each system of an archive, with what identifies the entry that it is of, and the names of what is left out. */
function* systemsOf({ text, line }: FileFrame): Generator<FileFrame> {
  const { archive, systems } = systemsIn(text)
  if (systems.length < 2) return yield { text, line }
  const identity = Object.entries(archive).filter(([key, value]) => key === 'metadata' || typeof value !== 'object')
  takeAll(archive, Object.keys(Object.fromEntries(identity)))
  for (const system of systems) takeAll(system, Object.keys(system))
  const { values, leftOut } = restOf(archive)
  const names = [...Object.keys(values), ...leftOut]
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : []
  const named = [...names.slice(0, MOST_NAMED), ...more]
  const about = { ...Object.fromEntries(identity), ...(named.length === 0 ? {} : { [NOT_IN_FRAMES]: named }) }
  for (const system of systems) yield { text: JSON.stringify({ ...about, run: [{ system: [system] }] }), line }
}

function notInFrames(archive: JsonObject): readonly StructureWarning[] {
  const names = takeWhole(archive, NOT_IN_FRAMES)
  if (!isJsonArray(names)) return []
  const message = `The archive has several systems, and says of all of them, which is left out: ${names.join(', ')}.`
  return [{ code: 'not-in-frames', message }]
}

/** The archive of an entry, and those systems of its runs that have atoms. */
function systemsIn(text: string): { readonly archive: JsonObject; readonly systems: readonly JsonObject[] } {
  const archive = archiveIn(readEntry(text, (entry) => archiveIn(entry) !== undefined))
  if (archive === undefined) throw noAtoms()
  const systems = objectsIn(archive, 'run').flatMap((run) => objectsIn(run, 'system'))
  return { archive, systems: systems.filter((system) => isJsonObject(ownField(system, 'atoms'))) }
}

/** The archive of an entry, with the ids that stand beside it. */
function archiveIn(entry: JsonObject): JsonObject | undefined {
  if (ownField(entry, 'run') !== undefined) return entry
  const { archive: inner, ...beside } = entry
  return isJsonObject(inner) ? { ...beside, ...inner } : undefined
}

function objectsIn(owner: JsonObject, key: string): readonly JsonObject[] {
  const list = take(owner, key)
  return isJsonArray(list) ? list.filter(isJsonObject) : []
}

function noAtoms(): Error {
  return refusal(FORMAT_ERRORS.noStructure, 'The archive has no run[].system[].atoms.', { path: 'run' })
}

function parseNomad(text: string, options: ReadOptions): Crystal {
  const { archive, systems } = systemsIn(text)
  const [system] = systems
  if (system === undefined) throw noAtoms()
  const atoms = objectField(system, 'atoms', 'run[].system[].')
  takeAll(atoms, ['n_atoms', 'species', 'lattice_vectors_reciprocal'])
  const labels = listField(atoms, 'labels', 'atoms.')
  requireFewAtoms(labels.length, options)
  const places = listField(atoms, 'positions', 'atoms.').map((place, index) =>
    inAngstrom(place, `atoms.positions[${index}]`),
  )
  if (places.length !== labels.length) {
    const message = `${labels.length} labels but ${places.length} positions.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { path: 'atoms.positions' })
  }
  const listed = takeWhole(atoms, 'lattice_vectors')
  const vectors = [0, 1, 2].map((axis) => {
    const row = isJsonArray(listed) ? inAngstrom(listed[axis], `atoms.lattice_vectors[${axis}]`) : undefined
    return row === undefined || length(row) === 0 ? undefined : row
  })
  const flags = asFlags(takeWhole(atoms, 'periodic'), PERIODIC)
  const lattice = completeCell(vectors, places)
  const fractions = fractionsOf(places, lattice)
  const names = new SpeciesNames('Labels are the symbols of elements.')
  const sites = labels.flatMap((label, index): readonly CrystalSite[] => {
    const path = `atoms.labels[${index}]`
    if (typeof label !== 'string') throw wrongField(path, label, 'the symbol of an element')
    const species = names.ofType(label, { path })
    return species === null
      ? []
      : [{ ...species, ...labelled(label, species).details, fraction: fractions[index] as Vector3 }]
  })
  const [a, b, c] = vectors.map((vector, axis) => vector !== undefined && flags[axis] === true)
  const periodic = [a === true, b === true, c === true] as const
  const warnings = [...notInFrames(archive), ...names.warnings]
  const tagged = withSpeciesTags(sites, 'atoms', warnings)
  return requireAtoms({ title: '', lattice, periodic, sites: tagged, warnings, rest: restOf(archive) })
}

/** Metres in ångström, without the noise of the power of ten. */
function inAngstrom(value: Json | undefined, path: string): Vector3 {
  const [x, y, z] = asVector(value, path).map((metres) => Number((metres * ANGSTROM_PER_METRE).toPrecision(15)))
  return [x ?? 0, y ?? 0, z ?? 0]
}
