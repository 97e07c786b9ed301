import { type Corrections, correctionOf } from '../../calculations/hull/mp2020.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { type EnergyEntry, readDocuments, readEnergyEntries, type ShownEnergy } from './energy-entries.ts'
import { oxideTypeOf } from './oxide-type.ts'
import { symbolOf } from './potentials.ts'

/** Jobs and methods of energies, and the structures of their materials, as pages of documents. */
export interface DiagramRuns {
  readonly jobs: readonly Uint8Array[]
  readonly methods: readonly Uint8Array[]
  /** Materials that have oxygen and something else. */
  readonly oxides: readonly Uint8Array[]
}

/** Fields that corrections follow from: of jobs, of methods, of materials. */
export const JOB_FIELDS: Readonly<Record<string, 1>> = {
  _id: 1,
  'inputs.INCAR': 1,
  'inputs.parameters': 1,
  'inputs.hubbards': 1,
  '_method._id': 1,
}
export const METHOD_FIELDS: Readonly<Record<string, 1>> = { _id: 1, model: 1, 'data.pseudo': 1 }
export const OXIDE_FIELDS: Readonly<Record<string, 1>> = {
  _id: 1,
  basis: 1,
  lattice: 1,
  isNonPeriodic: 1,
}

/** Which names to find: jobs and oxides of pages of materials, methods of pages of jobs. */
export interface RunNames {
  readonly of: 'jobs' | 'methods' | 'oxides'
  readonly pages: readonly Uint8Array[]
}

/** Names of the records that corrections follow from, each once. */
export function runNames({ of, pages }: RunNames): readonly string[] {
  if (of === 'methods') {
    const ids = readDocuments(pages).map((job) => ownField(objectIn(job, '_method'), '_id'))
    return [...new Set(ids.filter((id) => typeof id === 'string'))]
  }
  const entries = readEnergyEntries(pages)
  if (of === 'oxides') {
    const oxides = entries.filter(
      ({ chemicalSystem: system }) => system.includes('-') && system.split('-').includes('O'),
    )
    return [...new Set(oxides.map(({ id }) => id))]
  }
  const jobs = entries.flatMap(({ energies }) => [...energies.values()].map(({ jobId }) => jobId))
  return [...new Set(jobs.filter((id) => id !== null))]
}

const known = new WeakMap<DiagramRuns, ReadonlyMap<string, JsonObject>>()

function documentsIn(runs: DiagramRuns): ReadonlyMap<string, JsonObject> {
  const found =
    known.get(runs) ??
    new Map(
      [...runs.jobs, ...runs.methods, ...runs.oxides].flatMap((page) =>
        readDocuments([page]).map((document) => [String(document._id), document] as const),
      ),
    )
  known.set(runs, found)
  return found
}

/** The correction of an energy by the run that it is from, or why there is none. */
export function correctedBy(entry: EnergyEntry, { jobId }: ShownEnergy, runs: DiagramRuns): Corrections {
  const documents = documentsIn(runs)
  const job = jobId === null ? undefined : documents.get(jobId)
  if (job === undefined) return { corrections: null, reason: 'The job of its energy is not known.' }
  const method = documents.get(String(ownField(objectIn(job, '_method'), '_id')))
  if (method === undefined) return { corrections: null, reason: 'The method of its job is not known.' }
  const titles = titlesIn(method)
  const functional = String(ownField(objectIn(method, 'model'), 'functional') ?? 'another functional')
  const hubbards = hubbardsIn(objectIn(job, 'inputs'), titles, functional)
  if (hubbards === null) return { corrections: null, reason: 'U of its elements is not known.' }
  const oxideType = oxideTypeOf(documents.get(entry.id))
  return correctionOf({
    composition: entry.composition,
    runType: runTypeOf(functional, hubbards),
    hubbards,
    potentials: titles.map(potentialName),
    ...(oxideType === null ? {} : { oxideType }),
  })
}

function titlesIn(method: JsonObject): readonly string[] {
  const pseudo = ownField(objectIn(method, 'data'), 'pseudo')
  return isJsonArray(pseudo) ? pseudo.map((one) => (isJsonObject(one) ? String(ownField(one, 'name')) : '')) : []
}

/** First words of titles of potentials made with PBE: VASP's own, and those under which pymatgen names sets of them. */
const MADE_WITH_PBE = /^\s*(?:PAW_)?PBE(?:_\d+)?\s/i

/** The name of a potential in its title, `PAW_PBE Mn_pv 02Aug2007` or `PBE Mn_pv`. Titles of others are no such name. */
function potentialName(title: string): string {
  return MADE_WITH_PBE.test(title) ? symbolOf(title) : title
}

type Hubbards = Readonly<Record<string, number>>

/** Values of U by element, in eV, as an entry has it or the input of VASP; null where it was used and is not said. */
function hubbardsIn(inputs: JsonObject, titles: readonly string[], functional: string): Hubbards | null {
  const said = objectIn(inputs, 'hubbards')
  if (Object.keys(said).length > 0) return byElement(Object.keys(said), numbersIn(Object.values(said)), null)
  const tags = { ...objectIn(inputs, 'parameters'), ...objectIn(inputs, 'INCAR') }
  if (ownField(tags, 'LDAU') !== true) return functional.endsWith('+u') ? null : {}
  const elements = titles.map((title) => potentialName(title).split('_')[0] ?? '')
  return byElement(elements, numbersIn(ownField(tags, 'LDAUU')), numbersIn(ownField(tags, 'LDAUJ')))
}

function byElement(
  elements: readonly string[],
  values: readonly number[] | null,
  exchange: readonly number[] | null,
): Hubbards | null {
  if (values === null || values.length !== elements.length) return null
  return Object.fromEntries(elements.map((element, at) => [element, (values[at] ?? 0) - (exchange?.[at] ?? 0)]))
}

function numbersIn(value: Json | undefined): readonly number[] | null {
  const numbers = isJsonArray(value) ? value : typeof value === 'string' ? value.trim().split(/\s+/) : [value]
  const read = numbers.map((one) => (typeof one === 'string' || typeof one === 'number' ? Number(one) : Number.NaN))
  return read.every(Number.isFinite) ? read : null
}

const PBE = /^pbe(?:\+u)?$/

function runTypeOf(functional: string, hubbards: Hubbards): string {
  if (!PBE.test(functional)) return functional.toUpperCase()
  return Object.values(hubbards).some((u) => u !== 0) ? 'GGA+U' : 'GGA'
}

function objectIn(document: JsonObject, field: string): JsonObject {
  const value = ownField(document, field)
  return isJsonObject(value) ? value : {}
}
