import { SYMBOLS } from '../../../src/page/elements.ts'
import { type Condition, conditionsOf, isObject, type JsonObject, queryOf, type Scalar } from '../conditions.ts'
import { type Fault, readRelaxed } from '../relaxed-json.ts'
import { readComparison, readReversed, scalarOf } from './comparison.ts'
import { Cursor, Unreadable } from './cursor.ts'
import { fieldNamed, type NamedField } from './field-names.ts'
import { allOf, joined, negated, oneOfAny } from './join.ts'
import { KEYS } from './keys.ts'
import { type Meaning, meaningOf, phraseMeaning, quoted, values, word } from './meaning.ts'
import type { Piece } from './piece.ts'
import { elementNamed } from './tables.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

export type LineReading = { readonly pieces: readonly Piece[] } | { readonly fault: Fault }

/** As long as an address can be. */
const MOST_CHARACTERS = 1000
const MOST_PIECES = 24
const LONGEST_NAME = 5
const SHORTEST_NAME = 3
const LONGEST_PHRASE = 4
const LONGEST_KEY = 3
/** Words between pieces, which say that both hold. */
const AND = ['and', 'with', 'containing', 'contains', 'having', 'plus', '&', '&&', '+']
const NOT = ['not', 'without', 'except', 'no', '!']
const OR = ['or', '|', '||']

/** Reads the text of the line: pieces that all hold, or what is wrong with it. */
export function readLine(text: string, vocabulary: Vocabulary): LineReading {
  try {
    if (text.length > MOST_CHARACTERS)
      throw new Unreadable({
        message: `The line has more than ${MOST_CHARACTERS} characters`,
        from: MOST_CHARACTERS,
        to: text.length,
      })
    const reader = new LineReader(new Cursor(text, tokensOf(text)), vocabulary)
    const pieces = joined(reader.pieces())
    if (pieces.length > MOST_PIECES)
      throw new Unreadable({ message: `At most ${MOST_PIECES} conditions are read`, from: 0, to: text.length })
    return { pieces }
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.fault }
    throw error
  }
}

/** The query that pieces mean together. */
export function queryOfPieces(pieces: readonly Piece[]): JsonObject {
  return queryOf(pieces.map(({ condition }) => condition))
}

/** Whether names of fields that only records have may be meant. */
export function namesFields(text: string): boolean {
  return /[<>=≥≤≠:]|\b(?:above|below|over|under|between|than|at least|at most|has|from)\b|\d/i.test(text)
}

class LineReader {
  readonly #cursor: Cursor
  readonly #vocabulary: Vocabulary

  constructor(cursor: Cursor, vocabulary: Vocabulary) {
    this.#cursor = cursor
    this.#vocabulary = vocabulary
  }

  /** All up to the end of the line, or of the group. */
  pieces(isGroup = false): readonly Piece[] {
    const cursor = this.#cursor
    const pieces: Piece[] = []
    for (;;) {
      while (cursor.next?.kind === 'comma' || (cursor.isWord(...AND) && cursor.peek(1) !== undefined)) cursor.at += 1
      if (cursor.next === undefined || (isGroup && cursor.next.kind === 'close')) return pieces
      pieces.push(...this.#chain())
    }
  }

  /** What `or` joins, with what stands before it for not. */
  #chain(): readonly Piece[] {
    const cursor = this.#cursor
    const start = cursor.at
    if (cursor.isWord(...OR)) throw cursor.refused(`Something is missing before ${cursor.next?.text}`)
    const isNot = this.#takesNot()
    const missing = isNot && /^(?:no|without)$/i.test(cursor.peek(-1)?.text ?? '') ? this.#longName() : null
    if (missing !== null) {
      const condition = negated({ kind: 'exists', path: missing.path })
      return [{ text: cursor.since(start), condition, otherwise: [] }]
    }
    const parts = [this.#alternative()]
    while (cursor.isWord(...OR)) {
      cursor.at += 1
      if (cursor.next === undefined) throw cursor.refused('Something is missing after or', cursor.peek(-1))
      parts.push(this.#takesNot() ? [this.#notAlternative(cursor.at - 1)] : this.#alternative())
    }
    const [first = []] = parts
    // Pieces of a group that stands alone are pieces of the line.
    if (parts.length === 1 && !isNot) return first
    const any = oneOfAny(parts.map((pieces) => allOf(pieces.map(({ condition }) => condition))))
    return [{ text: cursor.since(start), condition: isNot ? negated(any) : any, otherwise: [] }]
  }

  #notAlternative(start: number): Piece {
    const condition = negated(allOf(this.#alternative().map((one) => one.condition)))
    return { text: this.#cursor.since(start), condition, otherwise: [] }
  }

  #takesNot(): boolean {
    const cursor = this.#cursor
    if (!cursor.isWord(...NOT) || cursor.peek(1) === undefined || cursor.peek(1)?.kind === 'sign') return false
    if (cursor.isWord('no') && cursor.next?.text !== 'no') return false
    cursor.at += 1
    return true
  }

  #alternative(): readonly Piece[] {
    const cursor = this.#cursor
    const start = cursor.at
    if (cursor.next?.kind === 'open') {
      cursor.at += 1
      const pieces = joined(this.pieces(true))
      if (pieces.length === 0) throw cursor.refused('Nothing is in the parentheses')
      cursor.at += 1
      return pieces
    }
    const { condition, otherwise = [], text = cursor.since(start) } = this.#atom()
    return [{ text, condition, otherwise }]
  }

  #atom(): Meaning {
    const cursor = this.#cursor
    const { next } = cursor
    if (next === undefined) throw cursor.refused('Something is missing at the end')
    if (next.kind === 'json') return this.#json(next)
    if (next.kind === 'sign') throw cursor.refused(`Which field is ${next.text}?`)
    if (next.kind === 'close') throw cursor.refused('Something is missing before )')
    const compared = this.#keyed() ?? this.#comparison() ?? this.#onlyElements() ?? this.#existing()
    if (compared !== null) return compared
    cursor.at += 1
    if (next.text === 'has' && cursor.next?.kind === 'word') return this.#atom()
    if (next.kind === 'quoted') return this.#quoted(next)
    return this.#phrase() ?? this.#word(next)
  }

  #json(token: Token): Meaning {
    const read = readRelaxed(token.text)
    if ('fault' in read) {
      const { message, from, to } = read.fault
      throw new Unreadable({ message, from: token.from + from, to: token.from + to })
    }
    const query: unknown = JSON.parse(read.json)
    if (!isObject(query)) throw this.#cursor.refused('A query stands in braces, as {"volume": {"$gt": 100}}', token)
    this.#cursor.at += 1
    return { condition: allOf(conditionsOf(query)) }
  }

  #quoted(token: Token): Meaning {
    if (token.text.trim() === '') throw this.#cursor.refused('Nothing is in the quotes', token)
    return { condition: word(token.text, this.#vocabulary) }
  }

  /** `gap > 1 and < 3 eV`, `volume 100-200`, `1 < gap < 3`. */
  #comparison(): Meaning | null {
    const cursor = this.#cursor
    const reversed = readReversed(cursor, () => this.#name())
    if (reversed !== null) return { condition: reversed }
    const start = cursor.at
    const field = this.#name()
    const isSigned = cursor.next?.kind === 'sign'
    const isSaid = isSigned || /[a-z]{3}/i.test(cursor.peek(-1)?.text ?? '') || cursor.peek(-1)?.text === 'sg'
    const condition = field === null || !isSaid ? null : readComparison(cursor, field)
    if (condition !== null) return { condition }
    cursor.at = start
    return null
  }

  /** The name of a field: as many words as one has, or whatever stands before a sign. */
  #name(): NamedField | null {
    const cursor = this.#cursor
    for (let count = LONGEST_NAME; count > 0; count--) {
      const name = cursor.words(count)
      const field = name === null ? null : fieldNamed(name, this.#vocabulary)
      if (field === null) continue
      cursor.at += count
      return field
    }
    if (cursor.peek(1)?.kind !== 'sign' || (cursor.next?.kind !== 'word' && cursor.next?.kind !== 'quoted')) return null
    const path = cursor.next.text
    if (cursor.next.kind === 'word' && !/^[A-Za-z_$]/.test(path)) return null
    cursor.at += 1
    return { path }
  }

  /** `tag: cubic`, `formula = TiO2`, `space group Fm-3m`, and a path with its value. */
  #keyed(): Meaning | null {
    for (let count = LONGEST_KEY; count > 0; count--) {
      const words = this.#cursor.words(count)
      const meaning = words === null ? null : (this.#withColon(words, count) ?? this.#spoken(words, count))
      if (meaning !== null) return meaning
    }
    return null
  }

  #withColon(words: string, count: number): Meaning | null {
    const [, key, glued = ''] = /^([A-Za-z_][\w. ]*):(?!\/\/)(\S*)$/.exec(words) ?? []
    if (key === undefined || this.#cursor.peek(count)?.kind === 'sign') return null
    const value = this.#valueOf(count, glued)
    return value === null ? null : this.#keyMeaning(key, value)
  }

  #spoken(words: string, count: number): Meaning | null {
    const cursor = this.#cursor
    const own = this.#ownKey(words)
    const isEqual = cursor.peek(count)?.kind === 'sign' && cursor.peek(count)?.text === '='
    if (own === undefined || !(isEqual || own.isSpoken)) return null
    const token = cursor.peek(count + Number(isEqual))
    if (token?.kind !== 'word' && !(token?.kind === 'quoted' && isEqual)) return null
    const condition = own.read(token.text, token.kind === 'quoted')
    if (condition === null) return null
    cursor.at += count + Number(isEqual) + 1
    return { condition }
  }

  #ownKey(name: string) {
    const { hasElements } = this.#vocabulary
    return KEYS.find(({ names, isOfCrystals }) => names.includes(name.toLowerCase()) && (hasElements || !isOfCrystals))
  }

  /** What stands behind a key: at it, or in the next token. */
  #valueOf(count: number, glued: string): Token | null {
    const cursor = this.#cursor
    const token = glued === '' ? cursor.peek(count) : cursor.peek(count - 1)
    if (token?.kind !== 'word' && token?.kind !== 'quoted' && token?.kind !== 'json') return null
    cursor.at += glued === '' ? count + 1 : count
    return glued === '' ? token : { ...token, text: glued }
  }

  #keyMeaning(key: string, token: Token): Meaning {
    if (token.kind === 'json') return { condition: this.#listed(key, token) }
    const own = this.#ownKey(key)
    const isQuoted = token.kind === 'quoted'
    if (own !== undefined) {
      const condition = own.read(token.text, isQuoted)
      if (condition === null) throw this.#cursor.refused(`${token.text} is ${own.isNot}`, token)
      return { condition }
    }
    const path = fieldNamed(key, this.#vocabulary)?.path ?? key
    return { condition: values(path, isQuoted ? token.text : scalarOf(token.text)) }
  }

  #listed(key: string, token: Token): Condition {
    const read = readRelaxed(token.text)
    const list: unknown = 'json' in read ? JSON.parse(read.json) : null
    if (!Array.isArray(list) || list.length === 0 || list.some((one) => typeof one === 'object' && one !== null))
      throw this.#cursor.refused('Values stand in brackets, as tags: ["cubic", "metal"]', token)
    return { kind: 'values', path: fieldNamed(key, this.#vocabulary)?.path ?? key, values: list as readonly Scalar[] }
  }

  /** `only Ti, O`: these elements and no others. */
  #onlyElements(): Meaning | null {
    const cursor = this.#cursor
    if (!this.#vocabulary.hasElements || !cursor.isWord('only')) return null
    const symbols: string[] = []
    for (let at = 1; ; ) {
      const token = cursor.peek(at)
      const named = token?.kind === 'word' ? token.text.split(/[-–]/).map(elementNamed) : [null]
      if (named.includes(null)) break
      symbols.push(...named.filter((one) => one !== null))
      cursor.at += at
      at = cursor.peek(1)?.kind === 'comma' || cursor.words(1, 1)?.toLowerCase() === 'and' ? 2 : 1
    }
    if (symbols.length === 0) return null
    cursor.at += 1
    return { condition: { kind: 'elements', mode: 'only', symbols: [...new Set(symbols)] } }
  }

  /** `has band gap`: the field is there. */
  #existing(): Meaning | null {
    const cursor = this.#cursor
    if (!cursor.isWord('has')) return null
    cursor.at += 1
    const field = this.#longName()
    if (field === null) cursor.at -= 1
    return field === null ? null : { condition: { kind: 'exists', path: field.path } }
  }

  /** A name that is no symbol of an element, where nothing is said of its value. */
  #longName(): NamedField | null {
    const cursor = this.#cursor
    const start = cursor.at
    const isLong = (cursor.next?.text.length ?? 0) >= SHORTEST_NAME
    const field = isLong ? this.#name() : null
    if (field !== null && (cursor.next?.kind === 'sign' || /^[-\d]/.test(cursor.next?.text ?? ''))) cursor.at = start
    return cursor.at === start ? null : field
  }

  /** Several words that mean one thing: `rare earth`, `P 21/c`, `Ti O2`. The first has been read. */
  #phrase(): Meaning | null {
    const cursor = this.#cursor
    for (let count = LONGEST_PHRASE; count > 1; count--) {
      const text = cursor.words(count, -1)
      const meaning = text === null || !this.#vocabulary.hasElements ? null : phraseMeaning(text)
      if (meaning === null) continue
      cursor.at += count - 1
      return meaning
    }
    return null
  }

  #word(token: Token): Meaning {
    const { text } = token
    // What somebody who searches elsewhere writes for not.
    const [, after] = /^[-−!](?=[A-Za-z])(.+)$/.exec(text) ?? []
    if (after !== undefined) return { condition: negated(meaningOf(after, this.#vocabulary).condition) }
    if (/^\*+$/.test(text)) throw this.#cursor.refused('A star stands for any characters beside others', token)
    const symbol = this.#vocabulary.hasElements && this.#isAfterWith() ? elementNamed(text) : null
    if (symbol !== null && !SYMBOLS.has(text))
      return {
        condition: { kind: 'elements', mode: 'all', symbols: [symbol] },
        otherwise: [quoted(text)],
        text: symbol,
      }
    const meaning = meaningOf(text.replace(/(?<=[\p{L}\d])[.!?]+$/u, ''), this.#vocabulary)
    const { condition } = meaning
    // Beside others a bracket could belong to them.
    const isOpen = /[()[\]{}"'“”„«»]/.test(text) && condition.kind === 'word' && !condition.isWhole && !condition.or
    return isOpen ? { ...meaning, text: quoted(condition.text) } : meaning
  }

  /** `with titanium`, `without oxygen`: an element is meant, where a word alone is looked for in names. */
  #isAfterWith(): boolean {
    const before = this.#cursor.peek(-2)
    return before?.kind === 'word' && ['with', 'containing', 'contains', 'without'].includes(before.text.toLowerCase())
  }
}
