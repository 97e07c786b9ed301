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
const TEXT_FORMS: Readonly<Record<string, TextForm>> = { CONTAINS: 'CONTAINS', STARTS: 'STARTS', ENDS: 'ENDS' }
/** Expectation of a value, in words. */
const VALUE = 'a text in double quotes or a number'
const KEYWORDS = ['AND', 'OR', 'NOT', 'IS', 'HAS', 'LENGTH', 'CONTAINS', 'STARTS', 'ENDS']
/** What can follow a property that stands alone. */
const AFTER_A_PHRASE = ['', 'AND', 'OR', ')']
/** The values that have no order. */
const EQUALITY: readonly string[] = ['=', '!=']

/** Reads a filter by the grammar of OPTIMADE 1.2; refuses what is not of it, with the column. */
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
    if (isConstant(token)) return this.#valueFirst()
    if (token.kind !== 'name') throw this.#unexpected('a property, a value, NOT or a parenthesis')
    const property = this.#property()
    if (!isConstant(this.#next) && AFTER_A_PHRASE.includes(this.#next.text)) return { kind: 'truth', property }
    if (this.#next.kind === 'word') return this.#keywordComparison(property)
    if (this.#isNext('sign', ':')) throw this.#noCorrelation()
    const sign = this.#sign()
    if (sign === null) throw this.#unexpected('an operator such as =, HAS, CONTAINS or IS KNOWN')
    return { kind: 'compare', property, sign, constant: this.#constantAfter(sign) }
  }

  #valueFirst(): Expression {
    const constant = this.#constant()
    const isOrdered = constant.kind !== 'truth'
    const sign = isOrdered || EQUALITY.includes(this.#next.text) ? this.#sign() : null
    if (sign === null) throw this.#unexpected(isOrdered ? '=, !=, <, <=, > or >=' : '= or !=')
    if (isConstant(this.#next)) {
      throw notImplemented(
        `Two values are compared at column ${constant.column}.`,
        constant.column,
        'Compare a property with a value.',
      )
    }
    if (this.#next.kind !== 'name') throw this.#unexpected('a property')
    return { kind: 'compare', property: this.#property(), sign: MIRRORED[sign], constant }
  }

  #keywordComparison(property: PropertyName): Expression {
    if (this.#takes('word', 'IS')) return { kind: 'known', property, known: this.#knownOrUnknown() }
    if (this.#takes('word', 'LENGTH')) {
      return { kind: 'length', property, sign: this.#sign() ?? '=', constant: this.#constant() }
    }
    if (this.#takes('word', 'HAS')) return this.#has(property)
    const form = this.#textForm()
    if (form !== null) return { kind: 'text', property, form, constant: this.#constant() }
    throw this.#unexpected('an operator such as =, HAS, CONTAINS or IS KNOWN')
  }

  #knownOrUnknown(): boolean {
    if (this.#takes('word', 'KNOWN')) return true
    if (this.#takes('word', 'UNKNOWN')) return false
    throw this.#unexpected('KNOWN or UNKNOWN')
  }

  #textForm(): TextForm | null {
    const { kind, text } = this.#next
    const form = kind === 'word' && Object.hasOwn(TEXT_FORMS, text) ? TEXT_FORMS[text] : undefined
    if (form === undefined) return null
    this.#position++
    if (form !== 'CONTAINS') this.#takes('word', 'WITH')
    return form
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
    const operator = this.#textForm() ?? this.#sign() ?? '='
    const test = { operator, constant: this.#constantAfter(operator) }
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

  /** The value after an operator: `TRUE` and `FALSE` have no order. */
  #constantAfter(operator: string): Constant {
    if (this.#next.kind === 'truth' && !EQUALITY.includes(operator)) {
      throw this.#unexpected(VALUE)
    }
    return this.#constant()
  }

  #constant(): Constant {
    const token = this.#next
    if (isConstant(token)) {
      this.#position++
      return token
    }
    if (token.kind === 'name') {
      throw notImplemented(
        `A property, ${clip(token.text, 80)}, stands where a value is compared, at column ${token.column}.`,
        token.column,
        `Compare with a number, or with a text in double quotes: ${JSON.stringify(clip(token.text, 80))}.`,
      )
    }
    throw this.#unexpected(VALUE)
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
    return refuseFilter(message, column, hintFor(this.#next, expected))
  }
}

/** What stands for a word of other query languages. */
const IN_WORDS_OF_OPTIMADE: Readonly<Record<string, string>> = {
  IN: 'Write nelements=1 OR nelements=2, or for a list HAS ANY.',
  LIKE: 'Use CONTAINS, STARTS WITH or ENDS WITH.',
  MATCHES: 'Use CONTAINS, STARTS WITH or ENDS WITH.',
  BETWEEN: 'Write nsites>=2 AND nsites<=4.',
  EXISTS: 'Use IS KNOWN.',
  NULL: 'Write IS UNKNOWN.',
}

/** Suggestion for what stands where something else is expected; undefined where the message says it all. */
function hintFor({ kind, text }: Token, expected: string): string | undefined {
  if (text === '=') return 'Equality is one =.'
  if (kind !== 'word' && kind !== 'name') return undefined
  const word = text.toUpperCase()
  if (Object.hasOwn(IN_WORDS_OF_OPTIMADE, word)) return IN_WORDS_OF_OPTIMADE[word]
  if (KEYWORDS.includes(word)) return text === word ? undefined : `Keywords are in capitals: ${word}.`
  if (expected === VALUE) return `A text stands in double quotes: ${JSON.stringify(clip(text, 80))}.`
  if (kind === 'name') return undefined
  const near = nearestName(text, KEYWORDS)
  return near === null ? 'Names of properties are in lower case.' : `Did you mean ${near}?`
}

function isConstant(token: Token): token is Constant {
  return token.kind === 'text' || token.kind === 'number' || token.kind === 'truth'
}
