import { AppError } from '../kernel/errors.ts'
import { clip } from '../query/context.ts'
import { OPTIMADE_ERRORS } from './errors.ts'

interface Placed {
  /** As the client wrote it. */
  readonly text: string
  /** Counted from 1, in characters of the filter. */
  readonly column: number
}

/** A value in a filter: a text in quotes, or a number. */
export type Constant =
  | (Placed & { readonly kind: 'text'; readonly value: string })
  | (Placed & { readonly kind: 'number'; readonly value: number })

/** The smallest parts of a filter: `name` is a property, `word` a keyword, `sign` an operator or punctuation. */
export type Token = Constant | (Placed & { readonly kind: 'name' | 'word' | 'sign' | 'end' })

const SPACE = /[ \t\n\v\f\r]*/y
const NAME = /[a-z_][a-z_0-9]*/y
const WORD = /[A-Z][A-Za-z_0-9]*/y
const NUMBER = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y
const TEXT = /"[^"\\]*(?:\\["\\][^"\\]*)*"/y
const SIGN = /<=|>=|!=|[<>=(),:.]/y

/** Takes a filter apart; the last token is always `end`. */
export function readTokens(filter: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = skipSpace(filter, 0); at < filter.length; ) {
    const token = readToken(filter, at)
    tokens.push(token)
    at = skipSpace(filter, at + token.text.length)
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
  const hint =
    filter[at] === "'" ? 'Texts stand in double quotes.' : 'Texts stand in double quotes, names in lower case.'
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

/** Comparison of an element of a list; `=` where the filter writes no operator. */
export interface ElementTest {
  readonly sign: ComparisonSign
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
