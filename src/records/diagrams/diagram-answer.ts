import { convexHull, type HullPlace } from '../../calculations/hull/convex-hull.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type JsonObject } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { chosenGroups, groupsOf } from './diagram-groups.ts'
import { correctedBy, type DiagramRuns } from './energy-corrections.ts'
import { type EnergyEntry, readDocuments, readEnergyEntries, type ShownEnergy } from './energy-entries.ts'
import { LeftOut, type LeftOutMaterial } from './left-out.ts'
import { commonPotentials, otherPotential } from './potentials.ts'

/** What a phase diagram is asked for. */
export interface DiagramTerms {
  /** In alphabetical order. */
  readonly elements: readonly string[]
  /** Groups of energies; null for the only one that there is. More than one only with a correction that makes them comparable. */
  readonly groups: readonly string[] | null
  readonly correction: 'mp2020' | null
  /** Energy above the hull up to which an entry is called stable, in eV/atom. */
  readonly tolerance: number
}

/** Materials that show no energy. */
interface WithoutEnergy {
  readonly count: number
  /** The first of them. */
  readonly page: Uint8Array
  /** Energies of these that have a caveat. */
  readonly caveats: readonly Uint8Array[]
}

/** A question with what was found for it. Plain data, which goes to another thread. */
export interface DiagramQuestion {
  readonly terms: DiagramTerms
  /** Pages of materials with energies, as the bytes of JSON arrays. */
  readonly pages: readonly Uint8Array[]
  /** Whether those are all. */
  readonly isWhole: boolean
  readonly withoutEnergy: WithoutEnergy
  /** Jobs and methods that the corrections follow from; null where none are asked for. */
  readonly runs: DiagramRuns | null
}

/** An entry that a diagram is made of. */
interface DiagramEntry {
  readonly entry: EnergyEntry
  readonly energy: ShownEnergy
  readonly group: string
  /** In eV, of the whole composition. */
  readonly correction: number
}

/** Makes a phase diagram, as JSON text; refuses it where groups are mixed, or an element has no reference. */
export function diagramAnswer(question: DiagramQuestion): string {
  const { terms, isWhole, withoutEnergy } = question
  const read = readEnergyEntries(question.pages)
  const leftOut = new LeftOut()
  leftOut.addCounted('noEnergy', withoutEnergy.count, namedIn(withoutEnergy))
  const ordered = read.filter((entry) => {
    if (entry.isDisordered) leftOut.add('disordered', entry)
    return !entry.isDisordered
  })
  const groups = chosenGroups(ordered, terms.groups)
  const chosen = entriesOf(ordered, groups, question.runs, leftOut)
  // Corrections ask for their own potentials.
  const entries = question.runs === null ? ofOnePotential(chosen, leftOut) : chosen
  const hull = convexHull(
    [...entries].map(([id, { entry, energy, correction }]) => ({
      id,
      composition: entry.composition,
      energy: energy.value + correction,
    })),
  )
  const present = 'refusal' in hull ? referencesAmong(entries) : new Set(hull.elements)
  const missing = terms.elements.filter((element) => !present.has(element))
  if (missing.length > 0) throw missingReferences(missing, groups, leftOut)
  if ('refusal' in hull) throw new AppError(RECORD_ERRORS.noHull, hull.refusal)
  const places = new Map(hull.places.map((place) => [place.id, place]))
  const told = [...entries].flatMap(([id, one]) => {
    const place = places.get(id)
    return place === undefined ? [] : [entryAnswer(one, place, entries, terms)]
  })
  return JSON.stringify({
    elements: terms.elements,
    group: groups.length === 1 ? (groups[0] ?? '') : groups,
    groups: groupsOf(ordered),
    correction: terms.correction,
    tolerance: terms.tolerance,
    references: hull.elements.map((element, at) => referenceAnswer(element, entries.get(hull.references[at] ?? ''))),
    entries: told.sort(byStability),
    facets: hull.facets?.map((facet) => facet.map((id) => entries.get(id)?.entry.id ?? id)) ?? null,
    leftOut: leftOut.groups,
    exact: isWhole,
  })
}

function namedIn({ page, caveats }: WithoutEnergy): readonly LeftOutMaterial[] {
  const reasons = new Map(
    readDocuments(caveats).flatMap(({ exabyteId, caveat }) =>
      (isJsonArray(exabyteId) ? exabyteId : [exabyteId]).map((id) => [String(id), String(caveat)] as const),
    ),
  )
  return readDocuments([page]).map(({ _id, formula }) => {
    const why = reasons.get(String(_id))
    return { _id: String(_id), formula: String(formula ?? ''), ...(why === undefined ? {} : { why }) }
  })
}

type DiagramEntries = ReadonlyMap<string, DiagramEntry>

/** The entries of the groups by their ids. */
function entriesOf(
  read: readonly EnergyEntry[],
  groups: readonly string[],
  runs: DiagramRuns | null,
  leftOut: LeftOut,
): DiagramEntries {
  const entries = new Map<string, DiagramEntry>()
  for (const entry of read) {
    const found = groups.flatMap((group) => {
      const energy = entry.energies.get(group)
      return energy === undefined ? [] : [{ group, energy }]
    })
    const [first] = found
    if (first === undefined)
      leftOut.add('otherGroup', entry, [...entry.energies.keys()].map((one) => one || 'no group').join(', '))
    else if (entries.has(entry.id)) leftOut.add('sameId', entry)
    else if (runs === null) entries.set(entry.id, { entry, ...first, correction: 0 })
    else {
      const tried = found.map((one) => ({ ...one, by: correctedBy(entry, one.energy, runs) }))
      const corrected = tried.find(({ by }) => by.corrections !== null)
      if (corrected?.by.corrections != null) {
        const { group, energy, by } = corrected
        entries.set(entry.id, { entry, group, energy, correction: by.total })
      } else leftOut.add('notCorrected', entry, tried.map(({ by }) => ('reason' in by ? by.reason : '')).join(' '))
    }
  }
  return entries
}

/** The entries without those whose energies were computed with other potentials than most. */
function ofOnePotential(entries: DiagramEntries, leftOut: LeftOut): DiagramEntries {
  const common = commonPotentials([...entries.values()].map(({ energy }) => energy.potentials))
  return new Map(
    [...entries].filter(([, { entry, energy }]) => {
      const why = otherPotential(energy.potentials, common)
      if (why !== null) leftOut.add('otherPotential', entry, why)
      return why === null
    }),
  )
}

function referencesAmong(entries: DiagramEntries): ReadonlySet<string> {
  const alone = [...entries.values()].map(({ entry }) => entry.chemicalSystem).filter((system) => !system.includes('-'))
  return new Set(alone)
}

function missingReferences(missing: readonly string[], groups: readonly string[], leftOut: LeftOut): AppError {
  const none = missing.filter((element) => leftOut.whyUncorrected(element) === undefined)
  const uncorrected = missing.filter((element) => !none.includes(element))
  const ofGroups = groups.length === 0 || groups[0] === '' ? '' : ` in ${groups.join(', ')}`
  const found = [
    ...(none.length === 0 ? [] : [`there is none of ${none.join(', ')}${ofGroups}`]),
    ...(uncorrected.length === 0 ? [] : [`what there is of ${uncorrected.join(', ')}${ofGroups} cannot be corrected`]),
  ]
  const other = leftOut.firstOf('otherPotential')
  const hint = [
    ...(other === undefined
      ? []
      : [`Energies of other potentials were left out, first that of ${other.formula}: ${other.why}.`]),
    ...(none.length === 0 ? [] : [howToAdd(none)]),
    ...uncorrected.map((element) => `${element}: ${leftOut.whyUncorrected(element)}`),
  ].join(' ')
  const message = `Formation energies need an energy of each element alone; ${found.join(', and ')}.`
  return new AppError(RECORD_ERRORS.missingReferences, `${message} ${hint}`, { path: 'elements', hint, missing })
}

function howToAdd(none: readonly string[]): string {
  const [it, alone, them] = none.length === 1 ? ['it', none[0], 'the element'] : ['each', 'each', 'these elements']
  return `Import a calculation of ${it} by the same method, or create a material of ${alone} alone with its total_energy of that group; or leave ${them} out.`
}

function atomsOf({ composition }: EnergyEntry): number {
  return Object.values(composition).reduce((sum, count) => sum + count, 0)
}

function referenceAnswer(element: string, reference: DiagramEntry | undefined): JsonObject {
  if (reference === undefined) return { element }
  const { entry, energy, correction } = reference
  return { element, _id: entry.id, energyPerAtom: (energy.value + correction) / atomsOf(entry) }
}

function entryAnswer(
  { entry, energy, group, correction }: DiagramEntry,
  { formationEnergy, energyAboveHull, decomposition }: HullPlace,
  entries: DiagramEntries,
  { tolerance, correction: corrects }: DiagramTerms,
) {
  const { id, name, formula, composition } = entry
  return {
    _id: id,
    name,
    formula,
    composition,
    energy: energy.value,
    ...(corrects === null ? {} : { correction, group }),
    formationEnergy,
    energyAboveHull,
    isStable: energyAboveHull <= tolerance,
    decomposition: decomposition.map((part) => ({
      _id: part.id,
      formula: entries.get(part.id)?.entry.formula ?? '',
      fraction: part.fraction,
    })),
    propertyId: energy.propertyId,
    jobId: energy.jobId,
  }
}

function byStability(one: ReturnType<typeof entryAnswer>, other: ReturnType<typeof entryAnswer>): number {
  return one.energyAboveHull - other.energyAboveHull || (one.formula < other.formula ? -1 : 1)
}
