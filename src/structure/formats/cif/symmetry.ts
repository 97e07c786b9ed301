import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { determinant, IDENTITY } from '../../linear-algebra.ts'
import { operatorKey, parseOperator, type SymmetryOperator } from '../../symmetry/operator.ts'
import {
  cachedOperators,
  keysOf,
  onOtherAxes,
  operatorsOfSetting,
  SPACE_GROUP_SETTINGS,
  type SpaceGroupSetting,
  settingsOfNumber,
  settingsOfSymbol,
} from '../../symmetry/space-group-setting.ts'
import { hallSymbolsBesideTable } from '../../symmetry/untabulated-setting.ts'
import { shorten } from '../common/text.ts'
import { type CifBlock, type CifValue, findItem, isGiven, readCifNumber } from './document.ts'

const OPERATOR_TAGS = ['_space_group_symop_operation_xyz', '_symmetry_equiv_pos_as_xyz', '_symmetry_equiv_pos_xyz']
/** Those of the largest group, F centred cubic, in a cell doubled along all edges. */
const MOST_OPERATORS = 1536

/** The operators that a block lists, by their keys, and where the list begins. */
export interface OperatorList {
  readonly operators: ReadonlyMap<string, SymmetryOperator>
  readonly line: number
}

/** Reads the operators that a block lists, each once but for whole lattice translations; nothing when it lists none. */
export function readListedOperators(block: CifBlock): OperatorList | undefined {
  for (const tag of OPERATOR_TAGS) {
    const texts = operatorTexts(block, tag)
    if (texts.length === 0) continue
    const operators = new Map<string, SymmetryOperator>()
    for (const { text, line } of texts) {
      const operator = readOperator(text)
      if (operator === undefined) {
        const hint = 'An operator is written as -x,y+1/2,-z+1/2.'
        throw refusal(FORMAT_ERRORS.unknownSpaceGroup, `"${shorten(text)}" is not a symmetry operator.`, { line, hint })
      }
      operators.set(operatorKey(operator), operator)
    }
    if (operators.size > MOST_OPERATORS) {
      const message = `${operators.size} symmetry operators are listed; no space group has as many.`
      throw refusal(FORMAT_ERRORS.unknownSpaceGroup, message, { line: texts[0]?.line ?? 1 })
    }
    return { operators, line: texts[0]?.line ?? 1 }
  }
  return undefined
}

function readOperator(text: string): SymmetryOperator | undefined {
  // Some programs number the operators within the text.
  const operator = parseOperator(text.replace(/^\s*\d+\s+(?=\S)/, '').replaceAll(/["']/g, ''))
  if (operator === undefined) return undefined
  const whole = operator.rotation.flat().every(Number.isInteger)
  return whole && Math.abs(determinant(operator.rotation)) === 1 ? operator : undefined
}

/** The texts of the operators: one per row, or one per line where they are not quoted and contain spaces. */
function operatorTexts(block: CifBlock, tag: string): { text: string; line: number }[] {
  block.taken.add(tag)
  const item = block.items.get(tag)
  if (isGiven(item))
    return item.text
      .split(/[\n;]/)
      .filter((text) => text.trim() !== '')
      .map((text) => ({ text, line: item.line }))
  const loop = block.loops.find(({ tags }) => tags.includes(tag))
  if (loop === undefined) return []
  const column = loop.tags.indexOf(tag)
  const width = loop.tags.length
  const inOrder = loop.values.length % width === 0
  const texts = loop.values.filter((_, index) => index % width === column).filter(isGiven)
  if (inOrder && texts.every(({ text }) => text.split(',').length === 3)) return texts
  const joined = joinLines(loop.values)
  if (joined.every(({ text }) => readOperator(text) !== undefined)) return joined
  if (inOrder) return texts
  const message = `The loop of symmetry operators has ${loop.values.length} values for ${width} columns.`
  const hint = 'Put operators that contain spaces in quotes.'
  throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line: loop.line, hint })
}

function joinLines(values: readonly CifValue[]): { text: string; line: number }[] {
  const lines = new Map<number, string>()
  for (const { text, line } of values) lines.set(line, `${lines.get(line) ?? ''} ${text}`)
  return [...lines].map(([line, text]) => ({ text, line }))
}

/** Operators that the file may mean, and how they were found. */
export interface OperatorChoice {
  readonly operators: readonly SymmetryOperator[]
  /** For messages: `the listed operators`, `P 1 2_1/c 1`. */
  readonly source: string
  /** These are not the axes that the symbol names; files with the cell of the one and the mark of the other exist. */
  readonly otherAxes?: true
}

const HALL_TAGS = ['_space_group_name_hall', '_symmetry_space_group_name_hall']
const HERMANN_MAUGUIN_TAGS = [
  '_space_group_name_h-m_alt',
  '_symmetry_space_group_name_h-m',
  '_space_group_name_h-m_full',
  '_space_group_name_h-m_ref',
  '_space_group_name_h-m',
  '_symmetry_space_group_name_h-m_alt',
]
const NUMBER_TAGS = ['_space_group_it_number', '_symmetry_int_tables_number', '_symmetry_space_group_number']
const CHOICE_TAGS = ['_space_group_it_coordinate_system_code']

/** Operators that a file lists, with their keys. */
export interface ListedOperators extends OperatorChoice {
  readonly keys: ReadonlySet<string>
  readonly line: number
}

/** Symmetry that a block states. */
export interface StatedSymmetry {
  readonly listed: ListedOperators | undefined
  /** By Hall symbol, else Hermann-Mauguin symbol, else number. With origin or axes left open there are several, the likeliest first. */
  readonly named: readonly OperatorChoice[]
  /** The number of the space group that it says, by symbol, Hall symbol or number. */
  readonly declaredGroup: number | undefined
}

/** Reads operators and names; a name that nobody knows is refused where no operators stand beside it. */
export function readSymmetry(block: CifBlock): StatedSymmetry {
  const list = readListedOperators(block)
  const listed = list === undefined ? undefined : asChoice(list)
  const named = choicesNamed(block)
  if (listed === undefined && named.length === 0) refuseUnknown(block)
  return { listed, named, declaredGroup: declaredGroup(block) }
}

/** Operators of a symbol that is not tabulated may be known, the group is not. */
function declaredGroup(block: CifBlock): number | undefined {
  const [setting] = settingsNamed(block)
  if (setting !== undefined) return setting.number
  const hall = findItem(block, HALL_TAGS)?.text.trim()
  return SPACE_GROUP_SETTINGS.find(({ hallSymbol }) => hallSymbol === hall)?.number
}

function asChoice({ operators, line }: OperatorList): ListedOperators {
  return { operators: [...operators.values()], keys: new Set(operators.keys()), line, source: 'the listed operators' }
}

/** Tells whether the listed operators are those of a choice. */
export function areThoseOf({ keys }: ListedOperators, { operators }: OperatorChoice): boolean {
  return operators.length === keys.size && [...keysOf(operators)].every((key) => keys.has(key))
}

/** Operators of a file that says nothing about symmetry. */
export const NO_SYMMETRY: OperatorChoice = {
  operators: [{ rotation: IDENTITY, translation: [0, 0, 0] }],
  source: 'no symmetry',
}

function choicesNamed(block: CifBlock): readonly OperatorChoice[] {
  const hall = findItem(block, HALL_TAGS)?.text.trim()
  const ofHall = choicesOfHall(hall === undefined ? [] : [hall])
  if (ofHall.length > 0) return ofHall
  const besideTable = choicesOfHall(hallSymbolsBesideTable(findItem(block, HERMANN_MAUGUIN_TAGS)?.text ?? ''))
  if (besideTable.length > 0) return besideTable
  const named = settingsNamed(block)
  const others = named.flatMap((setting) => onOtherAxes(setting) ?? []).filter((setting) => !named.includes(setting))
  return [...named.map(choiceOf), ...others.map((setting) => ({ ...choiceOf(setting), otherAxes: true as const }))]
}

function choicesOfHall(symbols: readonly string[]): readonly OperatorChoice[] {
  return symbols.flatMap((symbol) => {
    const operators = cachedOperators(symbol)
    return operators === undefined ? [] : [{ operators, source: `the Hall symbol ${symbol}` }]
  })
}

function refuseUnknown(block: CifBlock): void {
  const unknown = findItem(block, [...HERMANN_MAUGUIN_TAGS, ...NUMBER_TAGS, ...HALL_TAGS])
  if (unknown === undefined) return
  const message = `The space group "${shorten(unknown.text)}" is not known.`
  const hint = 'List the operators under _space_group_symop_operation_xyz.'
  throw refusal(FORMAT_ERRORS.unknownSpaceGroup, message, { line: unknown.line, hint })
}

function choiceOf(setting: SpaceGroupSetting): OperatorChoice {
  return { operators: operatorsOfSetting(setting), source: describe(setting) }
}

function describe(setting: SpaceGroupSetting): string {
  return `${setting.fullSymbol}${setting.choice === '' ? '' : ` (${setting.choice})`}`
}

function settingsNamed(block: CifBlock): readonly SpaceGroupSetting[] {
  const choice = findItem(block, CHOICE_TAGS)?.text.trim() ?? ''
  for (const tag of HERMANN_MAUGUIN_TAGS) {
    const symbol = findItem(block, [tag])
    if (symbol === undefined) continue
    const settings = settingsOfSymbol(symbol.text)
    const chosen = settings.filter((setting) => choice !== '' && setting.choice.toLowerCase() === choice.toLowerCase())
    if (settings.length > 0) return chosen.length > 0 ? chosen : settings
  }
  const number = findItem(block, NUMBER_TAGS)
  return number === undefined ? [] : settingsOfNumber(readCifNumber(number.text) ?? 0, choice)
}
