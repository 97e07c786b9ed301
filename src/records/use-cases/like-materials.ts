import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { readVectorText } from '../../kernel/whole-vector.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { NearestFound, NearestSurvey } from '../../query/ast/survey.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { planQuery } from '../../query/plan.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { FINGERPRINT_LENGTH, FINGERPRINT_STEP } from '../../structure/matching/fingerprint.ts'
import type { Isometry } from '../../structure/matching/isometry.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import type { ReadyRecord } from '../work/draft.ts'
import { getRecord, type WhenAsked } from './read-records.ts'

/** What is told of a material that is like another one. */
const SUMMARY = ['_id', 'name', 'formula', 'nSites', 'spaceGroup', 'prototype', 'isPublic', 'owner']
const LIKENESS = materialKind.likeness ?? []

const PATH = { text: 'fingerprint', parts: ['fingerprint'] } as const
const GREATEST = 0xffff
/** For how long records are looked at, and for how long candidates are compared. */
const BUDGET_MS = 2_000
/** The same where a record is being stored. */
const CREATION_BUDGET_MS = 300
/** Candidates of a record that is being stored. */
const CREATION_CANDIDATES = 10
/** Candidates of one that is stored only where it is none of them. */
const SKIPPING_CANDIDATES = 100
/** Public ones that are told of a public one. */
const MOST_PUBLIC = 20
/** What fingerprints of one crystal may differ by, in Å, and volumes as a share; a mapping is stricter. */
const CANDIDATES_WITHIN = 0.03
const CANDIDATE_VOLUME = 0.04
/**
 * What is called the same crystal without being asked about: what three decimals of a cell, or of fractions in one of 20 Å, leave open, and
 * less than what two relaxations with different functionals differ by (0.5 % and more). An atom may be off by so many Å, the lattice strained by such a share.
 */
const SAME = { largest: 0.02, strain: 0.001 } as const
/** Three directions strained by as much, with something to spare. */
const SAME_VOLUME = 4 * SAME.strain
/** Texts that are sent to be compared at a time. */
const TOGETHER = 8

/** A material as it is looked for: its text, and those of its fields by which it is found. */
export interface Sought {
  readonly text: string
  readonly fields: JsonObject
  /** The material itself, which is not told. */
  readonly id?: string
}

/** Who looks, and where. */
interface Looking {
  readonly deps: Pick<RecordDeps, 'store' | 'work'>
  readonly session: Pick<Session, 'scope'> & {
    readonly user: { readonly id: string }
    readonly origin: { readonly request: string | null }
  }
  readonly when?: WhenAsked
  readonly budgetMs?: number
  /** What volumes of candidates may differ by, as a share. */
  readonly volume?: number
  /** The account that they belong to; without it, all that the session sees are. */
  readonly owner?: string
}

/** How near materials are, and how many. */
export interface SimilarTerms {
  readonly limit: number
  /** In units of the cube root of the volume of an atom; without it, at any distance. */
  readonly within?: number | undefined
  readonly filter: FilterNode
}

export interface SimilarMaterials {
  readonly similar: readonly (JsonObject & { readonly distance: number })[]
  readonly records: number
  readonly exact: boolean
}

/** Finds the materials whose geometry is nearest to that of one, of any elements and any size. */
export async function similarMaterials(
  collection: Collection,
  id: string,
  { limit, within, filter }: SimilarTerms,
  when: WhenAsked = {},
): Promise<SimilarMaterials> {
  const { text } = await getRecord(collection, id)
  const fields = await collection.deps.work.pick(collection.session.user.id, text, LIKENESS)
  const to = vectorOf(fields) ?? refuseWithout(id)
  const steps = within === undefined ? GREATEST : Math.floor(within / FINGERPRINT_STEP + 1e-6)
  const asked = { to, within: steps, limit: limit + 1, filter }
  const { found, records, exact } = await nearestTo({ ...collection, when }, asked)
  const similar = found
    .filter((one) => one.fields._id !== id)
    .slice(0, limit)
    .map(({ distance, fields: told }) => ({ ...told, distance: Math.round(distance) * FINGERPRINT_STEP }))
    .map((one) => ({ ...one, distance: Number(one.distance.toFixed(4)) }))
  return { similar, records, exact }
}

/** A material that is the same crystal, and how it is laid upon the other. */
export type SameMaterial = JsonObject & Isometry

export interface SameMaterials {
  readonly same: readonly SameMaterial[]
  /** How many candidates were compared. */
  readonly compared: number
  /** Whether these were all. */
  readonly exact: boolean
}

/** Finds the materials that are the same crystal as a stored one, or its mirror image. */
export async function sameMaterials(
  collection: Collection,
  id: string,
  limit: number,
  when: WhenAsked = {},
): Promise<SameMaterials> {
  const { text } = await getRecord(collection, id)
  const fields = await collection.deps.work.pick(collection.session.user.id, text, LIKENESS)
  if (vectorOf(fields) === null) refuseWithout(id)
  return findSame({ ...collection, when }, { text, fields, id }, limit)
}

/** Finds the materials that a session sees and that are the same crystal as one that need not be stored. */
export async function findSame(looking: Looking, sought: Sought, limit: number): Promise<SameMaterials> {
  const to = vectorOf(sought.fields)
  const filter = candidatesOf(sought.fields, looking)
  if (to === null || filter === null) return { same: [], compared: 0, exact: true }
  const { volumePerAtom } = sought.fields
  const within = stepsWithin(Number(volumePerAtom))
  const { found, exact } = await nearestTo(looking, { to, within, limit: limit + 2, filter })
  const candidates = found.map(({ fields }) => fields).filter(({ _id }) => _id !== sought.id)
  const { isometries, isWhole } = await compare(looking, sought.text, candidates.slice(0, limit))
  const same = isometries.flatMap((isometry, at) => {
    return isometry === null ? [] : [{ ...candidates[at], ...rounded(isometry) } as SameMaterial]
  })
  return {
    same: same.sort((one, other) => orderOf(one) - orderOf(other) || one.rms - other.rms),
    compared: isometries.length,
    exact: exact && isWhole && candidates.length <= limit,
  }
}

/** What a new record is told of one that is the same crystal. */
export type SameAs = Pick<Isometry, 'rms' | 'strain'> & { readonly _id: string }

/**
 * Finds the materials that a new one is the same crystal as, mirror images and others that are merely near left out, as far as that takes no time to speak of. A record is
 * stored also where nobody can tell at the moment.
 */
export async function findSameAs(looking: Looking, sought: Sought): Promise<readonly SameAs[]> {
  try {
    const looked = { ...looking, volume: SAME_VOLUME, budgetMs: CREATION_BUDGET_MS }
    const { same } = await findSame(looked, sought, CREATION_CANDIDATES)
    return same.filter(isSame).map(sameAsOf)
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** Whether a crystal is the same as one upon which it is laid, as a curator would say it. */
function isSame({ handedness, largest, strain }: Isometry): boolean {
  return handedness === 'same' && largest <= SAME.largest && strain <= SAME.strain
}

/** Finds the materials of an account that a new one is the same crystal as, the nearest first: what decides whether it is stored. */
export async function findSameOf(
  { deps, session }: Pick<Looking, 'deps' | 'session'>,
  accountId: string,
  { id, text, likeness }: Pick<ReadyRecord, 'id' | 'text' | 'likeness'>,
): Promise<readonly SameAs[]> {
  if (likeness === null) return []
  const ofAccount = { ...session, scope: { kind: 'account', accountId } as const }
  const looking = { deps, session: ofAccount, volume: SAME_VOLUME, owner: accountId }
  const { same } = await findSame(looking, { text, fields: likeness, id }, SKIPPING_CANDIDATES)
  return same.filter(isSame).map(sameAsOf)
}

/** The ids of the public materials that a public one is the same crystal as; null where it cannot be compared. */
export async function publicSameAs(
  deps: Looking['deps'],
  { user, request = null }: ReadTerms,
  id: string,
): Promise<readonly string[] | null> {
  const session = { scope: { kind: 'public' }, user: { id: user }, origin: { request } } as const
  const record = await deps.store.read(materialKind.collection, session.scope, id)
  if (record === null) return null
  const fields = await deps.work.pick(user, record.text, LIKENESS)
  if (vectorOf(fields) === null) return null
  const looking = { deps, session, volume: SAME_VOLUME, budgetMs: CREATION_BUDGET_MS }
  const { same } = await findSame(looking, { text: record.text, fields, id }, MOST_PUBLIC)
  return same.filter(isSame).map(({ _id }) => String(_id))
}

/** Finds the records that one is the same crystal as among others that are not stored yet, the nearest first. */
export async function findSameAmong(
  { deps, session }: Pick<Looking, 'deps' | 'session'>,
  { text, likeness }: Pick<ReadyRecord, 'text' | 'likeness'>,
  others: readonly Pick<ReadyRecord, 'id' | 'text' | 'likeness'>[],
): Promise<readonly SameAs[]> {
  const near = others.filter((other) => isNear(likeness, other.likeness))
  const found: SameAs[] = []
  for (let at = 0; at < near.length; ) {
    const texts = near.slice(at, at + TOGETHER).map((other) => other.text)
    const isometries = await deps.work.match(session.user.id, text, texts)
    for (const isometry of isometries) {
      const _id = near[at++]?.id ?? ''
      if (isometry !== null && isSame(isometry)) found.push(sameAsOf({ _id, ...rounded(isometry) }))
    }
  }
  return found.sort((one, other) => one.rms - other.rms)
}

/** Whether one may be the same crystal as the other, by their fields. */
function isNear(one: JsonObject | null, other: JsonObject | null): boolean {
  const [from, to] = [one === null ? null : vectorOf(one), other === null ? null : vectorOf(other)]
  if (one === null || other === null || from === null || to === null) return false
  const [volume, theirs] = [Number(one.volumePerAtom), Number(other.volumePerAtom)]
  if (one.formula !== other.formula || Math.abs(theirs - volume) > SAME_VOLUME * volume) return false
  const within = stepsWithin(volume)
  return from.every((value, index) => Math.abs(value - (to[index] ?? 0)) <= within)
}

function sameAsOf({ _id, rms, strain }: SameAs | SameMaterial): SameAs {
  return { _id: String(_id), rms, strain }
}

function stepsWithin(volumePerAtom: number): number {
  return Math.ceil(CANDIDATES_WITHIN / Math.cbrt(volumePerAtom) / FINGERPRINT_STEP) + 1
}

function orderOf({ handedness }: Isometry): number {
  return handedness === 'same' ? 0 : 1
}

/** What is finer than this says nothing about crystals. */
function rounded({ rms, largest, strain, handedness }: Isometry): Isometry {
  const digits = (value: number): number => Number(value.toFixed(6))
  return { rms: digits(rms), largest: digits(largest), strain: digits(strain), handedness }
}

/** Lays candidates upon a material, as many as there is time for. */
async function compare(
  { deps, session, budgetMs = BUDGET_MS }: Looking,
  text: string,
  candidates: readonly JsonObject[],
) {
  const isometries: (Isometry | null)[] = []
  const end = performance.now() + budgetMs
  while (isometries.length < candidates.length && performance.now() < end) {
    const some = candidates.slice(isometries.length, isometries.length + TOGETHER)
    const records = await Promise.all(
      some.map(({ _id }) => deps.store.read(materialKind.collection, session.scope, String(_id))),
    )
    // One that is gone meanwhile is none.
    const texts = records.map((record) => record?.text ?? null)
    isometries.push(...(await deps.work.match(session.user.id, text, texts)))
  }
  return { isometries, isWhole: isometries.length === candidates.length }
}

type Asked = Pick<NearestSurvey, 'to' | 'within' | 'limit'> & { readonly filter: FilterNode }

function nearestTo(
  { deps, session, when = {}, budgetMs = BUDGET_MS }: Looking,
  { filter, ...terms }: Asked,
): Promise<NearestFound> {
  const survey: NearestSurvey = { kind: 'nearest', path: PATH, take: SUMMARY, budgetMs, ...terms }
  const plan = planQuery({ filter, sort: [], fields: null, skip: 0, limit: 1 }, materialKind.collection, session.scope)
  return deps.store.survey(plan, survey, { user: session.user.id, request: session.origin.request, ...when })
}

/** Of the same formula and about the same volume. */
function candidatesOf(
  fields: JsonObject,
  { volume: share = CANDIDATE_VOLUME, owner }: Pick<Looking, 'volume' | 'owner'>,
): FilterNode | null {
  const [formula, volume] = [ownField(fields, 'formula'), ownField(fields, 'volumePerAtom')]
  if (typeof formula !== 'string' || typeof volume !== 'number') return null
  const volumePerAtom = { $gte: volume * (1 - share), $lte: volume * (1 + share) }
  return parseFilter({ formula, volumePerAtom, ...(owner === undefined ? {} : { 'owner._id': owner }) })
}

function vectorOf(fields: JsonObject): readonly number[] | null {
  const text = ownField(fields, 'fingerprint')
  const numbers = new Uint16Array(FINGERPRINT_LENGTH)
  if (typeof text !== 'string' || !readVectorText(Buffer.from(text), numbers, 0, FINGERPRINT_LENGTH)) return null
  return [...numbers]
}

function refuseWithout(id: string): never {
  const hint = 'Molecules have none; records of earlier versions have it after "quarry recompute".'
  throw new AppError(
    RECORD_ERRORS.noFingerprint,
    `The material ${JSON.stringify(id)} has no fingerprint by which like ones are found. ${hint}`,
    { path: 'fingerprint', hint },
  )
}
