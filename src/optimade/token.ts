import { AppError } from '../kernel/errors.ts'
import { clip } from '../query/context.ts'
import { OPTIMADE_ERRORS } from './errors.ts'

interface Placed {
  /** As the client wrote it. */
  readonly text: string
  /** Counted from 1, in characters of the filter. */
  readonly column: number
}

/** A value in a filter: a text in quotes, a number, `TRUE` or `FALSE`. */
export type Constant =
  | (Placed & { readonly kind: 'text'; readonly value: string })
  | (Placed & { readonly kind: 'number'; readonly value: number })
  | (Placed & { readonly kind: 'truth' })

/** The smallest parts of a filter: `name` is a property, `word` a keyword, `sign` an operator or punctuation. */
export type Token = Constant | (Placed & { readonly kind: 'name' | 'word' | 'sign' | 'end' })

const SPACE = /[ \t\n\v\f\r]*/y
/** Fields of a provider may have capitals within a word, which the grammar has no use for: `_exmpl_bandGap`. */
const NAME = /_[a-z0-9]+_(?:[a-z_0-9]|[A-Z](?=[a-z_0-9]))*|[a-z_][a-z_0-9]*/y
const CAPITALS = /[A-Z]+/y
const WORD = /[A-Z][A-Za-z_0-9]*/y
const NUMBER = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const TEXT = /"[^"\\]*(?:\\["\\][^"\\]*)*"/y
const SIGN = /<=|>=|!=|[<>=(),:.]/y
/** No keyword begins with another, so that none needs a space after it. */
const KEYWORD = /UNKNOWN|CONTAINS|STARTS|LENGTH|FALSE|KNOWN|TRUE|ENDS|WITH|ONLY|AND|NOT|HAS|ALL|ANY|OR|IS/g
const ONLY_KEYWORDS = new RegExp(`^(?:${KEYWORD.source})+$`)

/** Takes a filter apart; the last token is always `end`. */
export function readTokens(filter: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = skipSpace(filter, 0); at < filter.length; ) {
    const found = readKeywords(filter, at) ?? [readToken(filter, at)]
    for (const token of found) {
      tokens.push(token)
      at += token.text.length
    }
    at = skipSpace(filter, at)
  }
  return [...tokens, { kind: 'end', text: '', column: filter.length + 1 }]
}

/** Refuses a filter for what stands at a column. */
export function refuseFilter(message: string, column: number, hint?: string): AppError {
  const place = { path: 'filter', column }
  return hint === undefined
    ? new AppError(OPTIMADE_ERRORS.invalidFilter, message, place)
    : new AppError(OPTIMADE_ERRORS.invalidFilter, `${message} ${hint}`, { ...place, hint })
}

/** Refuses what the specification leaves optional, or what types forbid. */
export function notImplemented(message: string, column: number, hint: string): AppError {
  return new AppError(OPTIMADE_ERRORS.notImplemented, `${message} ${hint}`, { path: 'filter', column, hint })
}

/** Keywords that follow each other without a space; null where anything else stands. */
function readKeywords(filter: string, at: number): readonly Token[] | null {
  const capitals = take(CAPITALS, filter, at)
  if (capitals === null || !ONLY_KEYWORDS.test(capitals)) return null
  return [...capitals.matchAll(KEYWORD)].map(({ 0: text, index }) => {
    const kind = text === 'TRUE' || text === 'FALSE' ? 'truth' : 'word'
    return { kind, text, column: at + index + 1 }
  })
}

function readToken(filter: string, at: number): Token {
  const column = at + 1
  const name = take(NAME, filter, at)
  if (name !== null) return { kind: 'name', text: name, column }
  const word = take(WORD, filter, at)
  if (word !== null) return { kind: 'word', text: word, column }
  const number = take(NUMBER, filter, at)
  if (number !== null) return { kind: 'number', text: number, column, value: readNumber(number, column) }
  const text = take(TEXT, filter, at)
  if (text !== null) return { kind: 'text', text, column, value: text.slice(1, -1).replace(/\\(["\\])/g, '$1') }
  const sign = take(SIGN, filter, at)
  if (sign !== null) return { kind: 'sign', text: sign, column }
  throw unreadable(filter, at)
}

function readNumber(text: string, column: number): number {
  const value = Number(text)
  if (Number.isFinite(value) && (!Number.isInteger(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return value
  // A large number in scientific notation is a float and does not promise every digit.
  if (Number.isFinite(value) && /[.eE]/.test(text)) return value
  throw notImplemented(
    `The number ${clip(text, 40)} at column ${column} cannot be held exactly.`,
    column,
    'Integers go up to 9007199254740991, other numbers to 1.8e308.',
  )
}

/** What stands for a sign of other languages. */
const HINTS: Readonly<Record<string, string>> = {
  "'": 'Texts stand in double quotes.',
  '&': 'Write AND.',
  '|': 'Write OR.',
  '!': 'Write NOT, or != for what differs.',
  '~': 'Use CONTAINS, STARTS WITH or ENDS WITH.',
}

function unreadable(filter: string, at: number): AppError {
  const column = at + 1
  if (filter[at] === '"') {
    return refuseFilter(
      `The text that begins at column ${column} does not end.`,
      column,
      'Close it with "; within it, write \\" for a quote and \\\\ for a backslash.',
    )
  }
  const character = JSON.stringify(String.fromCodePoint(filter.codePointAt(at) ?? 0))
  const hint = HINTS[filter[at] ?? ''] ?? 'Texts stand in double quotes, names in lower case.'
  return refuseFilter(`Unexpected ${character} at column ${column}.`, column, hint)
}

function take(form: RegExp, filter: string, at: number): string | null {
  form.lastIndex = at
  return form.exec(filter)?.[0] ?? null
}

function skipSpace(filter: string, at: number): number {
  return at + (take(SPACE, filter, at)?.length ?? 0)
}

export type ComparisonSign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** A property as a filter names it, nested names with their dots. */
export interface PropertyName {
  readonly text: string
  readonly column: number
}

/** Comparison of an element of a list, or a search within it; `=` where the filter writes no operator. */
export interface ElementTest {
  readonly operator: ComparisonSign | TextForm
  readonly constant: Constant
}

/** Requirement on a list: one element, one for each test, one for any of the tests, or no element that fails all tests. */
export type Quantifier = 'one' | 'all' | 'any' | 'only'

/** Operator that searches for a text in another. */
export type TextForm = 'CONTAINS' | 'STARTS' | 'ENDS'

export type Comparison =
  | {
      readonly kind: 'compare'
      readonly property: PropertyName
      readonly sign: ComparisonSign
      readonly constant: Constant
    }
  | { readonly kind: 'text'; readonly property: PropertyName; readonly form: TextForm; readonly constant: Constant }
  | {
      readonly kind: 'has'
      readonly property: PropertyName
      readonly quantifier: Quantifier
      readonly tests: readonly ElementTest[]
    }
  | {
      readonly kind: 'length'
      readonly property: PropertyName
      readonly sign: ComparisonSign
      readonly constant: Constant
    }

/** A filter of the OPTIMADE API after parsing: its grammar, before any property is looked up. */
export type Expression =
  | Comparison
  | { readonly kind: 'and' | 'or'; readonly clauses: readonly Expression[] }
  | { readonly kind: 'not'; readonly clause: Expression }
  | { readonly kind: 'known'; readonly property: PropertyName; readonly known: boolean }
  /** A property that stands alone, to be true. */
  | { readonly kind: 'truth'; readonly property: PropertyName }
