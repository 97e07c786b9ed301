import { isDeepStrictEqual } from 'node:util'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { LatticeType } from '../../../structure/lattice.ts'
import { PASSING_REASONS, type SymmetryReport } from '../../../structure/symmetry/symmetry-report.ts'
import { compactSymbol, symmetryProperty } from './derived-properties.ts'

/** What a material tells of its symmetry, by where it tells it. */
export interface SymmetryFields {
  readonly spaceGroup: JsonObject | null
  readonly properties: readonly JsonObject[]
  readonly findings: readonly JsonObject[]
  /** The Bravais type of the crystal, where it was found just now. */
  readonly latticeType?: LatticeType
}

const SWITCHED_OFF = 'it is switched off'
const FINDING_KEY = 'spaceGroup'
const NOT_COMPUTED = 'The symmetry was not computed: '

/** Writes down what was found; nothing is found where symmetry is switched off. */
export function symmetryFields(report: SymmetryReport | undefined, isNonPeriodic: boolean): SymmetryFields {
  if (report?.status !== 'computed') {
    const findings = isNonPeriodic ? [] : [notComputed(report?.reason ?? SWITCHED_OFF)]
    return { spaceGroup: null, properties: [], findings }
  }
  const { number, symbol, crystalSystem, pointGroup, latticeType } = report
  const spaceGroup = { number, symbol: compactSymbol(symbol), crystalSystem, pointGroup }
  return { spaceGroup, properties: symmetryProperty(report), findings: [], latticeType }
}

/**
 * What a stored material tells of its symmetry, when that holds for the document too: basis and lattice are the same, and whatever kept
 * the symmetry from being found would do so again. Else null. Symmetry is given up after so many milliseconds; null where it cannot
 * be sought.
 */
export function keptSymmetry(
  stored: JsonObject | undefined,
  document: JsonObject,
  timeLimitMs: number | null,
): SymmetryFields | null {
  if (stored === undefined || !isSameStructure(stored, document)) return null
  const spaceGroup = ownField(stored, 'spaceGroup')
  const properties = itemsOf(stored, 'derivedProperties').filter(({ name }) => name === 'symmetry')
  const findings = itemsOf(stored, 'consistencyChecks').filter(({ key }) => key === FINDING_KEY)
  if (isJsonObject(spaceGroup)) return { spaceGroup, properties, findings }
  if (findings.length === 0 || (timeLimitMs !== null && mayBeFound(stored, timeLimitMs))) return null
  return { spaceGroup: null, properties, findings }
}

const STRUCTURE_FIELDS = ['basis', 'lattice']

function isSameStructure(one: JsonObject, other: JsonObject): boolean {
  const isMolecule = (document: JsonObject): boolean => ownField(document, 'isNonPeriodic') === true
  return (
    isMolecule(one) === isMolecule(other) &&
    STRUCTURE_FIELDS.every((field) => isDeepStrictEqual(ownField(one, field), ownField(other, field)))
  )
}

const TOOK_LONGER = 'it took longer than '
const PASSING = [SWITCHED_OFF, ...PASSING_REASONS]

/** The server was busy or set up otherwise, or gave up sooner: another time it may be found. The record itself says so. */
function mayBeFound(stored: JsonObject, timeLimitMs: number): boolean {
  const reason = reasonOfNoSymmetry(stored) ?? ''
  if (!reason.startsWith(TOOK_LONGER)) return PASSING.includes(reason)
  return Number.parseInt(reason.slice(TOOK_LONGER.length), 10) < timeLimitMs
}

/** A query of the stored materials whose symmetry may be found by now; a few more are found by it, whose limit was another. */
export function symmetryMissed(timeLimitMs: number): JsonObject {
  const messages = PASSING.map((reason) => `${NOT_COMPUTED}${reason}.`)
  const sameLimit = `${NOT_COMPUTED}${TOOK_LONGER}${timeLimitMs} ms.`
  const path = 'consistencyChecks.message'
  return {
    $or: [{ [path]: { $in: messages } }, { [path]: { $regex: `^${NOT_COMPUTED}${TOOK_LONGER}`, $ne: sameLimit } }],
  }
}

/** Tells why a stored material has no symmetry; null where it has, and for molecules. */
export function reasonOfNoSymmetry(document: JsonObject): string | null {
  const finding = itemsOf(document, 'consistencyChecks').find(({ key }) => key === FINDING_KEY)
  const message = finding === undefined ? undefined : ownField(finding, 'message')
  return typeof message === 'string' ? message.slice(NOT_COMPUTED.length, -1) : null
}

function notComputed(reason: string): JsonObject {
  const message = `${NOT_COMPUTED}${reason}.`
  return { key: FINDING_KEY, name: 'default', severity: 'info', message }
}

function itemsOf(document: JsonObject, field: string): readonly JsonObject[] {
  const items: Json | undefined = ownField(document, field)
  return isJsonArray(items) ? items.filter(isJsonObject) : []
}
