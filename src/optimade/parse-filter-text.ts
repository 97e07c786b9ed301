import { nearestName } from '../kernel/names.ts'
import { clip } from '../query/context.ts'
import type { QueryBounds } from '../query/plan.ts'
import {
  type ComparisonSign,
  type Constant,
  type ElementTest,
  type Expression,
  notImplemented,
  type PropertyName,
  type Quantifier,
  readTokens,
  refuseFilter,
  type TextForm,
  type Token,
} from './token.ts'

/** The same comparison read from the other side. */
const MIRRORED: Readonly<Record<ComparisonSign, ComparisonSign>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

const QUANTIFIERS: Readonly<Record<string, Quantifier>> = { ALL: 'all', ANY: 'any', ONLY: 'only' }
const KEYWORDS = ['AND', 'OR', 'NOT', 'IS', 'HAS', 'LENGTH', 'CONTAINS', 'STARTS', 'ENDS']

/** Reads a filter by the grammar of OPTIMADE 1.1; refuses what is not of it, with the column. */
export function parseFilterText(text: string, bounds: QueryBounds): Expression {
  const bytes = Buffer.byteLength(text)
  if (bytes > bounds.maxBytes) {
    throw refuseFilter(`The filter has ${bytes} bytes; at most ${bounds.maxBytes} are allowed.`, 1)
  }
  return new FilterReader(readTokens(text), bounds).read()
}

class FilterReader {
  readonly #tokens: readonly Token[]
  readonly #bounds: QueryBounds
  #position = 0
  #conditions = 0

  constructor(tokens: readonly Token[], bounds: QueryBounds) {
    this.#tokens = tokens
    this.#bounds = bounds
  }

  read(): Expression {
    const expression = this.#disjunction(0)
    if (this.#next.kind !== 'end') throw this.#unexpected('AND, OR or the end of the filter')
    return expression
  }

  get #next(): Token {
    return this.#tokens[this.#position] as Token
  }

  #disjunction(depth: number): Expression {
    const clauses = [this.#conjunction(depth)]
    while (this.#takes('word', 'OR')) clauses.push(this.#conjunction(depth))
    return clauses.length === 1 ? (clauses[0] as Expression) : { kind: 'or', clauses }
  }

  #conjunction(depth: number): Expression {
    const clauses = [this.#phrase(depth)]
    while (this.#takes('word', 'AND')) clauses.push(this.#phrase(depth))
    return clauses.length === 1 ? (clauses[0] as Expression) : { kind: 'and', clauses }
  }

  #phrase(depth: number): Expression {
    if (this.#takes('word', 'NOT')) return { kind: 'not', clause: this.#braced(depth) ?? this.#comparison() }
    return this.#braced(depth) ?? this.#comparison()
  }

  #braced(depth: number): Expression | null {
    const { column } = this.#next
    if (!this.#takes('sign', '(')) return null
    if (depth >= this.#bounds.maxDepth) {
      throw refuseFilter(`Parentheses are nested deeper than ${this.#bounds.maxDepth} at column ${column}.`, column)
    }
    const inner = this.#disjunction(depth + 1)
    if (!this.#takes('sign', ')')) throw this.#unexpected(`a ) for the parenthesis at column ${column}`)
    return inner
  }

  #comparison(): Expression {
    this.#countCondition()
    const token = this.#next
    if (token.kind === 'text' || token.kind === 'number') return this.#valueFirst()
    if (token.kind !== 'name') throw this.#unexpected('a property, a value, NOT or a parenthesis')
    const property = this.#property()
    if (this.#next.kind === 'word') return this.#keywordComparison(property)
    if (this.#isNext('sign', ':')) throw this.#noCorrelation()
    const sign = this.#sign()
    if (sign === null) throw this.#unexpected('an operator such as =, HAS, CONTAINS or IS KNOWN')
    return { kind: 'compare', property, sign, constant: this.#constant() }
  }

  #valueFirst(): Expression {
    const constant = this.#constant()
    const sign = this.#sign()
    if (sign === null) throw this.#unexpected('=, !=, <, <=, > or >=')
    if (this.#next.kind !== 'name') {
      throw notImplemented(
        `Two values are compared at column ${constant.column}.`,
        constant.column,
        'Compare a property with a value.',
      )
    }
    return { kind: 'compare', property: this.#property(), sign: MIRRORED[sign], constant }
  }

  #keywordComparison(property: PropertyName): Expression {
    if (this.#takes('word', 'IS')) return { kind: 'known', property, known: this.#knownOrUnknown() }
    if (this.#takes('word', 'LENGTH')) {
      return { kind: 'length', property, sign: this.#sign() ?? '=', constant: this.#constant() }
    }
    if (this.#takes('word', 'HAS')) return this.#has(property)
    for (const form of ['CONTAINS', 'STARTS', 'ENDS'] as const) {
      if (this.#takes('word', form)) return this.#substring(property, form)
    }
    throw this.#unexpected('an operator such as =, HAS, CONTAINS or IS KNOWN')
  }

  #knownOrUnknown(): boolean {
    if (this.#takes('word', 'KNOWN')) return true
    if (this.#takes('word', 'UNKNOWN')) return false
    throw this.#unexpected('KNOWN or UNKNOWN')
  }

  #substring(property: PropertyName, form: TextForm): Expression {
    if (form !== 'CONTAINS') this.#takes('word', 'WITH')
    return { kind: 'text', property, form, constant: this.#constant() }
  }

  #has(property: PropertyName): Expression {
    const { text } = this.#next
    const quantifier = this.#next.kind === 'word' && Object.hasOwn(QUANTIFIERS, text) ? QUANTIFIERS[text] : undefined
    if (quantifier === undefined) return { kind: 'has', property, quantifier: 'one', tests: [this.#elementTest()] }
    this.#position++
    const tests = [this.#elementTest()]
    while (this.#takes('sign', ',')) {
      this.#countCondition()
      tests.push(this.#elementTest())
    }
    return { kind: 'has', property, quantifier, tests }
  }

  #elementTest(): ElementTest {
    const test = { sign: this.#sign() ?? '=', constant: this.#constant() }
    if (this.#isNext('sign', ':')) throw this.#noCorrelation()
    return test
  }

  #property(): PropertyName {
    const { text, column } = this.#next
    this.#position++
    let whole = text
    while (this.#takes('sign', '.')) {
      if (this.#next.kind !== 'name') throw this.#unexpected('the rest of a nested property name')
      whole += `.${this.#next.text}`
      this.#position++
    }
    return { text: whole, column }
  }

  #sign(): ComparisonSign | null {
    const { kind, text } = this.#next
    if (kind !== 'sign' || !Object.hasOwn(MIRRORED, text)) return null
    this.#position++
    return text as ComparisonSign
  }

  #constant(): Constant {
    const token = this.#next
    if (token.kind === 'text' || token.kind === 'number') {
      this.#position++
      return token
    }
    if (token.kind === 'name') {
      throw notImplemented(
        `A property, ${clip(token.text, 80)}, stands where a value is compared, at column ${token.column}.`,
        token.column,
        'Compare with a text in double quotes or a number.',
      )
    }
    if (token.kind === 'word' && (token.text === 'TRUE' || token.text === 'FALSE')) {
      throw notImplemented(
        `${token.text} stands at column ${token.column}, and no property here is true or false.`,
        token.column,
        'Compare with a text in double quotes or a number.',
      )
    }
    throw this.#unexpected('a text in double quotes or a number')
  }

  #isNext(kind: Token['kind'], text: string): boolean {
    return this.#next.kind === kind && this.#next.text === text
  }

  #takes(kind: Token['kind'], text: string): boolean {
    if (!this.#isNext(kind, text)) return false
    this.#position++
    return true
  }

  #countCondition(): void {
    this.#conditions++
    if (this.#conditions <= this.#bounds.maxClauses) return
    const { column } = this.#next
    throw refuseFilter(`The filter has more than ${this.#bounds.maxClauses} conditions, at column ${column}.`, column)
  }

  #noCorrelation(): Error {
    const { column } = this.#next
    return notImplemented(
      `Lists are compared position by position at column ${column}.`,
      column,
      'Ask about each list by itself, with HAS.',
    )
  }

  #unexpected(expected: string): Error {
    const { kind, text, column } = this.#next
    const found = kind === 'end' ? 'The filter ends' : `Found ${clip(text, 80)}`
    const message = `${found} at column ${column}, where ${expected} is expected.`
    if (kind !== 'word') return refuseFilter(message, column)
    if (KEYWORDS.includes(text)) return refuseFilter(message, column)
    const near = nearestName(text, KEYWORDS)
    const hint = near === null ? 'Names of properties are in lower case.' : `Did you mean ${near}?`
    return refuseFilter(message, column, hint)
  }
}
