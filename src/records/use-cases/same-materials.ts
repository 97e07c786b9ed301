import { latestMs } from '../../kernel/clock.ts'
import { AppError, isOf } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import { all, compares, equals } from '../../query/ast/filter.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import {
  fingerprintMayDiffer,
  NEAR,
  type Nearness,
  SAME,
  volumeMayDiffer,
} from '../../structure/matching/fingerprint.ts'
import type { Isometry } from '../../structure/matching/isometry.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { RECORD_WARNINGS } from '../warnings/warnings.ts'
import type { Collection } from '../work/deps.ts'
import type { NewRecord } from '../work/record-input.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { BUDGET_MS, fingerprintIn, LIKENESS, type Looking, nearestTo, withoutFingerprint } from './nearest-materials.ts'
import { getRecord } from './read-records.ts'
import type { SameAs } from './write.ts'

/** The same where a record is being stored, or one of many is read. */
const SHORT_BUDGET_MS = 300
/** Candidates that are enough for a record that is being stored, if one of them is the same. */
const ENOUGH_FOR_CREATION = 10
/** The same for a public one that is read. */
const ENOUGH_PUBLIC = 20
/** Candidates where nobody says how many: those nearest by fingerprint need not be the same ones. */
const MOST_CANDIDATES = 100
/** Texts that are sent to be compared at a time. */
const TOGETHER = 8

/** A material as it is looked for: its text, and those of its fields by which it is found. */
interface Sought {
  readonly text: string
  readonly fields: JsonObject
  /** The material itself, which is not told. */
  readonly id?: string
}

/** Among which materials is looked, and for what. */
interface SameMaterialTerms {
  readonly within: Nearness
  /** Most candidates that are compared. */
  readonly limit: number
  /** Number of compared candidates after which others are left out, if one of them is the same; all are compared without it. */
  readonly enough?: number
  /** The account that they belong to; without it, all that the session sees are. */
  readonly owner?: string
}

/** A material that is the same crystal, and how it is laid upon the other. */
export type SameMaterial = JsonObject & Isometry

export interface SameMaterials {
  /** The best first; mirror images last. */
  readonly same: readonly SameMaterial[]
  /** Number of compared candidates. */
  readonly compared: number
  /** Whether these were all. */
  readonly exact: boolean
}

/** Finds the materials that are the same crystal as a stored one, or its mirror image. */
export async function sameMaterials(
  collection: Collection,
  id: string,
  limit: number,
  reading?: ReadTerms,
): Promise<SameMaterials> {
  const { text } = await getRecord(collection, id)
  const fields = await fieldsOf(collection.deps.work, collection.session.user.id, text, LIKENESS)
  if (fingerprintIn(fields) === null) throw withoutFingerprint(id)
  return findNear({ ...collection, reading }, { text, fields, id }, { within: NEAR, limit })
}

/** Materials of the same crystal, the nearest first, and whether all candidates were compared. */
export interface SameFound {
  readonly same: readonly SameAs[]
  readonly exact: boolean
}

const NOTHING_LIKE_IT: SameFound = { same: [], exact: true }

/** Finds the materials that a new one is the same crystal as, as far as that takes no time to speak of: it is stored also where nobody can tell at the moment. */
export async function findSameAs(looking: Looking, { text, likeness }: ComparedRecord): Promise<SameFound> {
  if (likeness === null) return NOTHING_LIKE_IT
  try {
    const looked = { ...looking, budgetMs: SHORT_BUDGET_MS }
    const terms = { within: SAME, limit: MOST_CANDIDATES, enough: ENOUGH_FOR_CREATION }
    return sameIn(await findNear(looked, { text, fields: likeness }, terms))
  } catch (error) {
    if (error instanceof AppError) return { same: [], exact: false }
    throw error
  }
}

/** Finds the materials of an account that a new one is the same crystal as: what decides whether it is stored. */
export async function findSameOf(
  { deps, session }: Pick<Looking, 'deps' | 'session'>,
  accountId: string,
  { id, text, likeness }: ComparedRecord,
): Promise<SameFound> {
  if (likeness === null) return NOTHING_LIKE_IT
  const ofAccount = { ...session, scope: { kind: 'account', accountId } as const }
  const terms = { within: SAME, limit: MOST_CANDIDATES, owner: accountId }
  return sameIn(await findNear({ deps, session: ofAccount }, { text, fields: likeness, id }, terms))
}

/** The public materials that a public one is the same crystal as; null where it cannot be compared. */
export async function publicSameAs(
  deps: Looking['deps'],
  { user, request = null }: ReadTerms,
  id: string,
): Promise<SameFound | null> {
  const session = { scope: { kind: 'public' }, user: { id: user }, origin: { request } } as const
  const record = await deps.store.read(materialKind.collection, session.scope, id)
  if (record === null) return null
  const fields = await fieldsOf(deps.work, user, record.text, LIKENESS)
  if (fingerprintIn(fields) === null) return null
  const looking = { deps, session, budgetMs: SHORT_BUDGET_MS }
  const terms = { within: SAME, limit: MOST_CANDIDATES, enough: ENOUGH_PUBLIC }
  return sameIn(await findNear(looking, { text: record.text, fields, id }, terms))
}

/** A record that is compared with others before it is stored. */
type ComparedRecord = Pick<NewRecord, 'id' | 'text' | 'likeness'>

/** Finds the records that one is the same crystal as among others that are not stored yet. */
export async function findSameAmong(
  { deps, session }: Pick<Looking, 'deps' | 'session'>,
  { text, likeness }: ComparedRecord,
  others: readonly ComparedRecord[],
): Promise<SameFound> {
  const near = others.filter((other) => mayBeSame(likeness, other.likeness))
  const readAll = async (some: readonly ComparedRecord[]) => some.map((other) => other.text)
  const { isometries, isWhole } = await compare({ deps, session, within: SAME }, text, near, readAll)
  const same = isometries.flatMap((isometry, at) => {
    return isometry === null ? [] : [{ _id: near[at]?.id ?? '', ...isometry }]
  })
  return sameIn({ same, exact: isWhole })
}

/** Warns the writer of a record that it may not be the only one of its crystal. */
export function unfinishedSearch(path: 'sameAs' | 'skipSame'): Warning {
  const stored =
    path === 'skipSame' ? 'It is stored, and may be the same crystal as one of the account' : 'There may be more'
  const message = `Not all materials that may be the same crystal were compared: they are too many, or it took too long. ${stored}.`
  return warning(
    RECORD_WARNINGS.sameUnfinished,
    path,
    message,
    'The search for the same crystals of a material looks further.',
  )
}

/** Mirror images left out. */
function sameIn({ same, exact }: Pick<SameMaterials, 'same' | 'exact'>): SameFound {
  const ofHand = same.filter(({ handedness }) => handedness === 'same')
  const told = ofHand.map(({ _id, rms, strain }): SameAs => ({ _id: String(_id), rms, strain }))
  return { same: told.sort((one, other) => one.rms - other.rms), exact }
}

/** Finds the materials that a session sees and that are as near to one, which need not be stored. */
async function findNear(looking: Looking, sought: Sought, terms: SameMaterialTerms): Promise<SameMaterials> {
  const candidates = candidatesOf(sought.fields, terms)
  if (candidates === null) return { same: [], compared: 0, exact: true }
  const { limit, within, enough } = terms
  const { found, exact } = await nearestTo(looking, { ...candidates, limit: limit + 2 })
  const others = found.map(({ fields }) => fields).filter(({ _id }) => _id !== sought.id)
  const read = (some: readonly JsonObject[]) => textsOf(looking, some)
  const { isometries, isWhole } = await compare(
    { ...looking, within, enough },
    sought.text,
    others.slice(0, limit),
    read,
  )
  const same = isometries.flatMap((isometry, at) => {
    return isometry === null ? [] : [{ ...others[at], ...isometry } as SameMaterial]
  })
  return {
    same: same.sort((one, other) => orderOf(one) - orderOf(other) || one.rms - other.rms),
    compared: isometries.length,
    exact: exact && isWhole && others.length <= limit,
  }
}

/** One that is gone meanwhile is none. */
async function textsOf({ deps, session }: Looking, some: readonly JsonObject[]): Promise<readonly (string | null)[]> {
  const records = some.map(({ _id }) => deps.store.read(materialKind.collection, session.scope, String(_id)))
  return (await Promise.all(records)).map((record) => record?.text ?? null)
}

interface ComparingTerms extends Pick<SameMaterialTerms, 'within'> {
  readonly enough?: number | undefined
}

/** Lays others upon a material, as many as the budget is enough for; whatever takes too long by itself ends it. */
async function compare<Other>(
  { deps, session, within, enough = Number.POSITIVE_INFINITY, budgetMs = BUDGET_MS }: Looking & ComparingTerms,
  text: string,
  others: readonly Other[],
  readAll: (some: readonly Other[]) => Promise<readonly (string | null)[]>,
) {
  const isometries: (Isometry | null)[] = []
  const latest = performance.now() + latestMs(budgetMs)
  let leftMs = budgetMs
  while (isometries.length < others.length && leftMs > 0 && performance.now() < latest) {
    const isEnough = isometries.length >= enough
    if (isEnough && isometries.some((isometry) => isometry?.handedness === 'same')) break
    const together = isEnough ? TOGETHER : Math.min(TOGETHER, enough - isometries.length)
    const candidates = await readAll(others.slice(isometries.length, isometries.length + together))
    try {
      const found = await deps.work.run('match', session.user.id, { text, candidates, within, budgetMs: leftMs })
      isometries.push(...found.isometries.map((isometry) => isometry && rounded(isometry)))
      leftMs -= found.spentMs
    } catch (error) {
      if (!isOf(RECORD_ERRORS.tooMuchWork, error) && !isOf(STORE_ERRORS.busy, error)) throw error
      break
    }
  }
  return { isometries, isWhole: isometries.length === others.length }
}

function orderOf({ handedness }: Isometry): number {
  return handedness === 'same' ? 0 : 1
}

/** Rounds off digits that say nothing about crystals. */
function rounded({ rms, largest, strain, handedness }: Isometry): Isometry {
  const digits = (value: number): number => Number(value.toFixed(6))
  return { rms: digits(rms), largest: digits(largest), strain: digits(strain), handedness }
}

/** Conditions of candidates for a material: the same formula, about the same volume and fingerprint. */
function candidatesOf(fields: JsonObject, { within, owner }: Pick<SameMaterialTerms, 'within' | 'owner'>) {
  const [to, formula, volume] = [fingerprintIn(fields), ownField(fields, 'formula'), ownField(fields, 'volumePerAtom')]
  if (to === null || typeof formula !== 'string' || typeof volume !== 'number') return null
  const share = volumeMayDiffer(within)
  const filter = all(
    equals('formula', formula),
    compares('volumePerAtom', '$gte', volume * (1 - share)),
    compares('volumePerAtom', '$lte', volume * (1 + share)),
    ...(owner === undefined ? [] : [equals('owner._id', owner)]),
  )
  return { to, filter, within: fingerprintMayDiffer(to, Math.cbrt(volume), within) }
}

/** Whether one may be the same crystal as the other, by their fields. */
function mayBeSame(one: JsonObject | null, other: JsonObject | null): boolean {
  const [from, to] = [one === null ? null : fingerprintIn(one), other === null ? null : fingerprintIn(other)]
  if (one === null || other === null || from === null || to === null || one.formula !== other.formula) return false
  const [volume, theirs] = [Number(one.volumePerAtom), Number(other.volumePerAtom)]
  if (Math.abs(theirs - volume) > volumeMayDiffer(SAME) * volume) return false
  const within = fingerprintMayDiffer(from, Math.cbrt(volume), SAME)
  return from.every((value, at) => Math.abs(value - (to[at] as number)) <= within)
}
