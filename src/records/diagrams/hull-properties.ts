import { convexHull, type HullPlace } from '../../calculations/hull/convex-hull.ts'
import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { contentId } from '../ids.ts'
import { HULL_SOURCE } from '../kinds/property/best-property.ts'
import { type EnergyEntry, readDocuments, readEnergyEntries } from './energy-entries.ts'
import { commonPotentials, otherPotential } from './potentials.ts'

/** Names of such properties. */
export const HULL_NAMES = ['formation_energy', 'energy_above_hull'] as const
/** Elements of a chemical system of which they are computed. */
const MOST_ELEMENTS = 8
/** Entries of one hull: those of more would take longer than one record may. */
const MOST_ENTRIES = 5_000
/** In eV/atom. */
const LARGEST_ENERGY = 1e9

/** Fields of the properties that are there. */
export const HULL_PROPERTY_FIELDS: Readonly<Record<string, 1>> = {
  _id: 1,
  isPublic: 1,
  exabyteId: 1,
  data: 1,
  source: 1,
}

/** What an account has, to be held against what follows from its energies. Plain data, which goes to another thread. */
export interface HullQuestion {
  readonly accountId: string
  /** Pages of materials with energies: of the systems that are asked about, and of all systems within these. */
  readonly entries: readonly Uint8Array[]
  /** Pages of the properties that are there. */
  readonly present: readonly Uint8Array[]
  /** Elements that a system has to have, any of several sets of them; null for all systems. */
  readonly having: readonly (readonly string[])[] | null
  /** `next` of the answer before. */
  readonly after: string | null
}

/** A property as it should be. */
export interface HullProperty {
  readonly id: string
  readonly isPublic: boolean
  readonly document: JsonObject
}

/** What has to be done at the properties of one material. */
export interface HullChange {
  readonly materialId: string
  readonly write: readonly HullProperty[]
  /** Ids of properties that nothing follows from any more. */
  readonly erase: readonly string[]
}

export interface HullChanges {
  readonly changes: readonly HullChange[]
  /** Null after the last system. */
  readonly next: string | null
}

/** Changes of one answer, and milliseconds for which hulls are computed for it. */
const MOST_CHANGES = 500
const TURN_MS = 1_000

/** Finds where the properties of an account differ from what follows from its energies, some systems at a time. `begin` is called before each hull. */
export function hullChanges(question: HullQuestion, begin: () => void): HullChanges {
  const { accountId, having, after } = question
  const entries = readEnergyEntries(question.entries).filter(isUsable)
  const systems = bySystem(entries)
  const present = presentBySystem(readDocuments(question.present), entries)
  const asked = [...new Set([...systems.keys(), ...present.keys()])].filter((system) => isAsked(system, having)).sort()
  const changes: HullChange[] = []
  const ends = performance.now() + TURN_MS
  for (const system of asked) {
    if (after !== null && system <= after) continue
    begin()
    const desired = propertiesOf(system, systems, accountId)
    changes.push(...differences(desired, present.get(system) ?? []))
    const isLast = system === asked.at(-1)
    if (!isLast && (changes.length >= MOST_CHANGES || performance.now() >= ends)) return { changes, next: system }
  }
  return { changes, next: null }
}

function isUsable({ isDisordered, chemicalSystem, composition }: EnergyEntry): boolean {
  return !isDisordered && elementsOf(chemicalSystem).length <= MOST_ELEMENTS && Object.keys(composition).length > 0
}

function elementsOf(system: string): readonly string[] {
  return system === '' ? [] : system.split('-')
}

function isAsked(system: string, having: HullQuestion['having']): boolean {
  const elements = new Set(elementsOf(system))
  return having?.some((needed) => needed.every((element) => elements.has(element))) ?? true
}

type Systems = ReadonlyMap<string, readonly EnergyEntry[]>

function bySystem(entries: readonly EnergyEntry[]): Systems {
  const systems = new Map<string, EnergyEntry[]>()
  for (const entry of entries) {
    const known = systems.get(entry.chemicalSystem)
    if (known === undefined) systems.set(entry.chemicalSystem, [entry])
    else known.push(entry)
  }
  return systems
}

/** A property that is there. */
interface PresentProperty {
  readonly id: string
  readonly materialId: string
  readonly document: JsonObject
}

/** The properties that are there by the system of their material, as it is now. */
function presentBySystem(
  documents: readonly JsonObject[],
  entries: readonly EnergyEntry[],
): ReadonlyMap<string, readonly PresentProperty[]> {
  const systemOf = new Map(entries.map(({ id, chemicalSystem }) => [id, chemicalSystem]))
  const present = new Map<string, PresentProperty[]>()
  for (const document of documents) {
    const ids = ownField(document, 'exabyteId')
    const materialId = String(isJsonArray(ids) ? ids[0] : ids)
    const system = systemOf.get(materialId) ?? systemIn(document).join('-')
    const one = { id: String(document._id), materialId, document }
    present.set(system, [...(present.get(system) ?? []), one])
  }
  return present
}

/** The elements of the system that a property was computed of. */
export function systemIn(document: JsonObject): readonly string[] {
  const source = ownField(document, 'source')
  const info = isJsonObject(source) ? ownField(source, 'info') : undefined
  const elements = isJsonObject(info) ? ownField(info, 'elements') : undefined
  return isJsonArray(elements) ? elements.map(String) : []
}

/** The properties of the materials of a system. Those of public materials follow from public energies alone. */
function propertiesOf(system: string, systems: Systems, accountId: string): readonly HullProperty[] {
  const own = systems.get(system) ?? []
  const within = [...systems].filter(([name]) => isWithin(name, system)).flatMap(([, entries]) => entries)
  return [true, false].flatMap((isPublic) => {
    const ofLevel = own.filter((entry) => entry.isPublic === isPublic)
    const groups = new Set(ofLevel.flatMap(({ energies }) => [...energies.keys()]))
    // How an energy of no group was found is not known: nothing tells that two of them can be compared.
    groups.delete('')
    const seen = within.filter((entry) => entry.isPublic || !isPublic)
    return [...groups].flatMap((group) => propertiesOfGroup({ accountId, group, system, isPublic }, ofLevel, seen))
  })
}

function isWithin(system: string, other: string): boolean {
  const elements = new Set(elementsOf(other))
  return elementsOf(system).every((element) => elements.has(element))
}

interface HullTerms {
  readonly accountId: string
  readonly group: string
  readonly system: string
  readonly isPublic: boolean
}

function propertiesOfGroup(
  terms: HullTerms,
  own: readonly EnergyEntry[],
  seen: readonly EnergyEntry[],
): readonly HullProperty[] {
  const elements = elementsOf(terms.system)
  const ofGroup = seen.map(({ energies }) => energies.get(terms.group)?.potentials ?? {})
  const common = commonPotentials(ofGroup)
  const entries = seen.flatMap(({ id, composition, energies }) => {
    const { value: energy, potentials = {} } = energies.get(terms.group) ?? {}
    const isAmong = energy !== undefined && isPossible(energy, composition)
    return isAmong && otherPotential(potentials, common) === null ? [{ id, composition, energy }] : []
  })
  if (entries.length > MOST_ENTRIES) return []
  const hull = convexHull(entries, { facets: 0 })
  if ('refusal' in hull || hull.elements.length < elements.length) return []
  const places = new Map(hull.places.map((place) => [place.id, place]))
  const references = Object.fromEntries(hull.elements.map((element, at) => [element, hull.references[at] ?? '']))
  return own.flatMap((entry) => {
    const place = places.get(entry.id)
    return place === undefined ? [] : documentsOf(entry, place, { ...terms, elements, references })
  })
}

function isPossible(energy: number, composition: EnergyEntry['composition']): boolean {
  const atoms = Object.values(composition).reduce((sum, count) => sum + count, 0)
  return Math.abs(energy / atoms) <= LARGEST_ENERGY
}

type FoundTerms = HullTerms & {
  readonly elements: readonly string[]
  readonly references: Readonly<Record<string, string>>
}

function documentsOf(
  { id: materialId, energies, bestGroup }: EnergyEntry,
  { formationEnergy, energyAboveHull, decomposition }: HullPlace,
  { accountId, group, isPublic, elements, references }: FoundTerms,
): readonly HullProperty[] {
  const energy = energies.get(group)
  const info = {
    energyId: energy?.propertyId ?? '',
    isOfBestEnergy: group === bestGroup,
    ...(energy?.jobId == null ? {} : { jobId: energy.jobId }),
    elements,
    references,
  }
  const parts = decomposition.map(({ id, fraction }) => ({ _id: id, fraction: rounded(fraction) }))
  const [formation, above] = HULL_NAMES
  const propertyOf = (name: string, value: number, more: Readonly<Record<string, Json>>): HullProperty => ({
    id: contentId('hull', accountId, materialId, group, name),
    isPublic,
    document: {
      data: { name, value: rounded(value), units: 'eV/atom' },
      group,
      exabyteId: [materialId],
      source: { type: HULL_SOURCE, info: { ...info, ...more } },
    },
  })
  return [propertyOf(formation, formationEnergy, {}), propertyOf(above, energyAboveHull, { decomposition: parts })]
}

/** Digits beyond those that programs print would differ by the order of a sum. */
function rounded(value: number): number {
  return Math.round(value * 1e10) / 1e10 + 0
}

function differences(desired: readonly HullProperty[], present: readonly PresentProperty[]): readonly HullChange[] {
  const there = new Map(present.map((one) => [one.id, one]))
  const wanted = new Set(desired.map(({ id }) => id))
  const changes = new Map<string, { write: HullProperty[]; erase: string[] }>()
  const changeOf = (materialId: string) => {
    const known = changes.get(materialId) ?? { write: [], erase: [] }
    changes.set(materialId, known)
    return known
  }
  for (const property of desired) {
    const { exabyteId } = property.document
    const materialId = String(isJsonArray(exabyteId) ? exabyteId[0] : exabyteId)
    if (!isSame(property, there.get(property.id))) changeOf(materialId).write.push(property)
  }
  for (const { id, materialId } of present) if (!wanted.has(id)) changeOf(materialId).erase.push(id)
  return [...changes].map(([materialId, change]) => ({ materialId, ...change }))
}

function isSame({ isPublic, document }: HullProperty, present: PresentProperty | undefined): boolean {
  if (present === undefined || (ownField(present.document, 'isPublic') === true) !== isPublic) return false
  return ['data', 'source', 'exabyteId'].every((field) =>
    equalJson(ownField(document, field), ownField(present.document, field)),
  )
}
