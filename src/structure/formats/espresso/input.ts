import { NamedValues } from '../common/rest.ts'
import { linesOf, readNumber } from '../common/text.ts'

/** A line of a card, without its comment. */
export interface CardLine {
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/** A card: its name, what stands beside the name (the unit), and its lines. */
export interface Card {
  readonly name: string
  readonly option: string
  readonly line: number
  readonly lines: readonly CardLine[]
}

/** An input of pw.x taken apart: variables of all namelists by name, and cards. */
export interface EspressoInput {
  /** Names in small letters, indices without spaces: `celldm(1)`. */
  readonly variables: NamedValues<string>
  readonly cards: readonly Card[]
}

const CARD_NAMES = new Set(
  (
    'ATOMIC_SPECIES ATOMIC_POSITIONS K_POINTS ADDITIONAL_K_POINTS CELL_PARAMETERS CONSTRAINTS OCCUPATIONS ' +
    'ATOMIC_VELOCITIES ATOMIC_FORCES SOLVENTS HUBBARD'
  ).split(' '),
)

/** Takes an input apart; what it does not know is left for the reader of the structure to miss. */
export function readEspressoInput(text: string): EspressoInput {
  const variables = new NamedValues<string>()
  const cards: { name: string; option: string; line: number; lines: CardLine[] }[] = []
  let namelist: string | undefined
  for (const [index, raw] of linesOf(text).entries()) {
    let rest = withoutComment(raw)
    if (namelist === undefined && /^\s*&\w+/.test(rest)) {
      namelist = ''
      rest = rest.replace(/^\s*&\w+/, '')
    }
    if (namelist !== undefined) {
      const end = endOfNamelist(rest)
      namelist += `${end === -1 ? rest : rest.slice(0, end)}\n`
      if (end === -1) continue
      readVariables(namelist, variables)
      namelist = undefined
      continue
    }
    if (rest.trim() === '') continue
    const [, name = '', option = ''] = /^\s*([A-Za-z_]+)\b\s*(.*)$/.exec(rest) ?? []
    if (CARD_NAMES.has(name.toUpperCase())) {
      const unit = option
        .replace(/[(){}]/g, ' ')
        .trim()
        .toLowerCase()
      cards.push({ name: name.toUpperCase(), option: unit, line: index + 1, lines: [] })
    } else {
      cards.at(-1)?.lines.push({ text: rest.trim(), line: index + 1 })
    }
  }
  if (namelist !== undefined) readVariables(namelist, variables)
  return { variables, cards }
}

/** Cuts at `!` or `#` outside quotes. */
function withoutComment(line: string): string {
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === '!' || character === '#') return line.slice(0, index)
  }
  return line
}

/** Finds `/`, `&end` or `$end` outside quotes. */
function endOfNamelist(line: string): number {
  const masked = line.replace(/'[^']*'|"[^"]*"/g, (quoted) => '_'.repeat(quoted.length))
  return masked.search(/\/|&end|\$end/i)
}

/** `name = value, name(1) = value`; an array without index is numbered from 1. */
function readVariables(text: string, variables: NamedValues<string>): void {
  const strings: string[] = []
  const masked = text.replaceAll(/\s+/g, ' ').replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => {
    strings.push(single ?? double ?? '')
    return `\u0001${strings.length - 1}\u0001`
  })
  const assignments = [...masked.matchAll(/(?<!\w)([A-Za-z_]\w*) ?(\([\d ,]+\))? ?=/g)]
  for (const [index, match] of assignments.entries()) {
    const start = match.index + match[0].length
    const values = masked
      .slice(start, assignments[index + 1]?.index ?? masked.length)
      .split(/[\s,]+/)
      .filter((value) => value !== '')
      .map((value) => (value.startsWith('\u0001') ? (strings[Number(value.replaceAll('\u0001', ''))] ?? '') : value))
    const name = (match[1] as string).toLowerCase()
    const indices = match[2]?.replaceAll(/\s/g, '')
    if (indices !== undefined || values.length === 1) variables.set(`${name}${indices ?? ''}`, values[0] ?? '')
    else values.forEach((value, place) => void variables.set(`${name}(${place + 1})`, value))
  }
}

export function variableNumber(input: EspressoInput, name: string): number | undefined {
  return readNumber(input.variables.get(name))
}

export function findCard(input: EspressoInput, name: string): Card | undefined {
  return input.cards.find((card) => card.name === name)
}
