import { isDeepStrictEqual } from 'node:util'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { entriesOf } from '../../../structure/formats/json/material-extras.ts'
import { densityOf, type ElementCounts } from '../../../structure/formula.ts'
import { type CellParameters, cellVolume, type LatticeType } from '../../../structure/lattice.ts'
import { isPseudosymmetric } from '../../../structure/symmetry/find-symmetry.ts'
import {
  operatorsOfSetting,
  SPACE_GROUP_SETTINGS,
  spaceGroupSymbol,
} from '../../../structure/symmetry/space-group-setting.ts'
import {
  type FoundGroup,
  type GroupReport,
  type NoSymmetry,
  PASSING_REASONS,
  SWITCHED_OFF,
} from '../../../structure/symmetry/symmetry-report.ts'
import { objectField } from './read-structure.ts'

/** Names of properties that only the server writes. */
const COMPUTED: ReadonlySet<Json | undefined> = new Set(['volume', 'density', 'elemental_ratio', 'symmetry'])

/** Contents of a cell: atoms by element, and their mass in Da. */
export interface CellContents {
  readonly counts: ElementCounts
  readonly mass: number
}

/** Properties that follow from cell (Å, degrees) and contents; the box of what does not repeat in all directions has no volume worth telling. */
export function computedProperties(
  cell: CellParameters,
  { counts, mass }: CellContents,
  isPeriodic: boolean,
): JsonObject[] {
  const properties: JsonObject[] = []
  if (isPeriodic) {
    const volume = cellVolume(cell)
    properties.push({ name: 'volume', value: sixDigits(volume), units: 'angstrom^3' })
    properties.push({ name: 'density', value: sixDigits(densityOf(mass, volume)), units: 'g/cm^3' })
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const [element, count] of counts) {
    properties.push({ name: 'elemental_ratio', value: sixDigits(count / total), element })
  }
  return properties
}

/** The space group as a property, where it was found. */
export function symmetryProperty(report: FoundGroup | NoSymmetry | undefined): JsonObject[] {
  if (report?.status !== 'computed') return []
  return [
    {
      name: 'symmetry',
      pointGroupSymbol: report.pointGroup,
      spaceGroupSymbol: compactSymbol(report.symbol),
      spaceGroupNumber: report.number,
      hallSymbol: report.hallSymbol,
      isStandardSetting: report.isStandardSetting,
      wyckoffLetters: report.wyckoffLetters,
      tolerance: { value: report.tolerance, units: 'angstrom' },
    },
  ]
}

/** The symbol as databases and people write it: `Fd-3m`. */
export function compactSymbol(symbol: string): string {
  return symbol.replaceAll(' ', '')
}

/** Those of the properties that a client sent which the server cannot compute, for instance `inchi`. */
export function keptProperties(properties: Json | undefined): readonly Json[] {
  return isJsonArray(properties) ? properties.filter((property) => isJsonObject(property) && !isComputed(property)) : []
}

/** Items of the server in a field of a material that client and server write together. */
export function computedItems(field: string, value: Json | undefined): readonly Json[] | undefined {
  if (field !== 'derivedProperties') return undefined
  return isJsonArray(value) ? value.filter((property) => isJsonObject(property) && isComputed(property)) : []
}

function isComputed(property: JsonObject): boolean {
  return COMPUTED.has(ownField(property, 'name'))
}

/** Six significant digits, or six decimals of what is larger: as much as lattice constants are worth. */
function sixDigits(value: number): number {
  return value < 1 ? Number(value.toPrecision(6)) : Math.round(value * 1e6) / 1e6
}

/** Symmetry of a material, by the fields that tell it. */
export interface SymmetryFields {
  readonly spaceGroup: JsonObject | null
  /** The groups within several tolerances; empty where they are not known. */
  readonly ladder: JsonObject
  readonly properties: readonly JsonObject[]
  readonly findings: readonly JsonObject[]
  /** The Bravais type of the crystal, where it was found just now. */
  readonly latticeType?: LatticeType
  /** All that was found just now. */
  readonly report?: Exclude<GroupReport, NoSymmetry>
  /** The prototype that a stored material has by its symmetry, in place of the report. */
  readonly prototype?: JsonObject
}

const FINDING_KEY = 'spaceGroup'
const NOT_COMPUTED = 'The symmetry was not computed: '

/** Writes down what was found; nothing is found where symmetry is switched off. */
export function symmetryFields(report: GroupReport | undefined, isNonPeriodic: boolean): SymmetryFields {
  if (report?.status !== 'computed') {
    const findings = isNonPeriodic ? [] : [notComputed(report?.reason ?? SWITCHED_OFF)]
    return { spaceGroup: null, ladder: {}, properties: [], findings }
  }
  const { number, symbol, crystalSystem, pointGroup, latticeType } = report
  const spaceGroup = { number, symbol: compactSymbol(symbol), crystalSystem, pointGroup }
  return {
    spaceGroup,
    ladder: ladderOf(report),
    properties: symmetryProperty(report),
    findings: [],
    latticeType,
    report,
  }
}

/** The groups within several tolerances; none of them is told as being known where there was no time for others. */
function ladderOf({ byTolerance = [] }: FoundGroup): JsonObject {
  const pseudosymmetric = isPseudosymmetric(byTolerance)
  return {
    byTolerance: byTolerance.map((group) => ({ ...group, symbol: compactSymbol(group.symbol) })),
    ...(pseudosymmetric === undefined ? {} : { pseudosymmetric }),
  }
}

/** Tells of stored symmetry whether a part is missing that records have today: other tolerances, the prototype, whether the cell is a standard one. */
export function lacksParts({ spaceGroup, ladder, prototype, report, properties }: SymmetryFields): boolean {
  if (spaceGroup === null) return false
  const isSettingTold = properties.some(({ isStandardSetting }) => isStandardSetting !== undefined)
  return ladder.byTolerance === undefined || (prototype === undefined && report === undefined) || !isSettingTold
}

/** Symmetry of a stored material, null unless it holds for the document too. A search ends after `timeLimitMs`, if there is one. */
export function keptSymmetry(
  stored: JsonObject | undefined,
  document: JsonObject,
  timeLimitMs: number | null,
): SymmetryFields | null {
  if (stored === undefined || !isSameStructure(stored, document)) return null
  const spaceGroup = ownField(stored, 'spaceGroup')
  const properties = entriesOf(stored, 'derivedProperties').filter(({ name }) => name === 'symmetry')
  const findings = entriesOf(stored, 'consistencyChecks').filter(({ key }) => key === FINDING_KEY)
  if (isJsonObject(spaceGroup)) {
    const prototype = ownField(stored, 'prototype')
    return {
      spaceGroup,
      ladder: keptLadder(stored),
      properties,
      findings,
      ...(isJsonObject(prototype) ? { prototype } : {}),
    }
  }
  if (findings.length === 0 || (timeLimitMs !== null && mayBeFound(stored, timeLimitMs))) return null
  return { spaceGroup: null, ladder: {}, properties, findings }
}

function keptLadder(stored: JsonObject): JsonObject {
  const symmetry = ownField(stored, 'symmetry')
  if (!isJsonObject(symmetry)) return {}
  return Object.fromEntries(Object.entries(symmetry).filter(([name]) => LADDER_FIELDS.includes(name)))
}

const LADDER_FIELDS = ['byTolerance', 'pseudosymmetric']

const STRUCTURE_FIELDS = ['basis', 'lattice', 'periodicDirections']

/** Tells whether two documents describe one structure in the same way. */
export function isSameStructure(one: JsonObject, other: JsonObject): boolean {
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
  const gaveUpMs = symmetryGaveUpMs(stored)
  return gaveUpMs !== null && gaveUpMs < timeLimitMs
}

/** After how many milliseconds the search for the symmetry was given up, 0 where there was none; null where another one finds no more. */
export function symmetryGaveUpMs(document: JsonObject): number | null {
  const reason = reasonOfNoSymmetry(document) ?? ''
  if (PASSING.includes(reason)) return 0
  return reason.startsWith(TOOK_LONGER) ? Number.parseInt(reason.slice(TOOK_LONGER.length), 10) : null
}

/** Tells why a stored material has no symmetry; null where it has, and for molecules. */
export function reasonOfNoSymmetry(document: JsonObject): string | null {
  const finding = entriesOf(document, 'consistencyChecks').find(({ key }) => key === FINDING_KEY)
  const message = finding === undefined ? undefined : ownField(finding, 'message')
  return typeof message === 'string' ? message.slice(NOT_COMPUTED.length, -1) : null
}

function notComputed(reason: string): JsonObject {
  const message = `${NOT_COMPUTED}${reason}.`
  return { key: FINDING_KEY, name: 'default', severity: 'info', message }
}

/** The field of a material under `symmetry` with the group that its file says. */
const DECLARED = 'declared'
const DECLARED_KEY = 'symmetry.declared'

/** The group that a file says its crystal has, as a material tells it. */
export function declaredSymmetry(number: number): JsonObject {
  return { [DECLARED]: { number, symbol: spaceGroupSymbol(number) } }
}

/** The group that a file says holds while the file stays and the structure is the one read. `kept` is the record as it was, if any. */
export function declaredGroupOf(document: JsonObject, kept: JsonObject | null | undefined): JsonObject | undefined {
  if (kept === null || !isJsonObject(ownField(document, 'src'))) return undefined
  const number = ownField(objectField(objectField(kept ?? document, 'symmetry'), DECLARED), 'number')
  return isGroupNumber(number) ? { number, symbol: spaceGroupSymbol(number) } : undefined
}

function isGroupNumber(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 230
}

/** Says that the atoms of a file have another group than it says, mostly by a mistake. A file in P 1 says nothing of symmetry. */
export function checkDeclared(declared: JsonObject | undefined, spaceGroup: JsonObject | null): readonly JsonObject[] {
  if (declared === undefined || spaceGroup === null) return []
  const [said, found] = [Number(declared.number), Number(spaceGroup.number)]
  if (said === found || said === 1) return []
  const message = `The file says space group ${declared.symbol} (${said}), and its atoms have ${spaceGroup.symbol} (${found}).`
  const severity = rotationsOf(found) < rotationsOf(said) ? 'warning' : 'info'
  return [{ key: DECLARED_KEY, name: 'default', severity, message }]
}

/** Counts the rotations in the point group of a space group. */
function rotationsOf(number: number): number {
  const setting = SPACE_GROUP_SETTINGS.find((one) => one.number === number)
  if (setting === undefined) return 0
  return new Set(operatorsOfSetting(setting).map(({ rotation }) => rotation.join(';'))).size
}
