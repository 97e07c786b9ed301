/** Kind of a CIF token; the text of a value is without its quotes. */
export type CifTokenKind = 'tag' | 'value' | 'loop' | 'data' | 'save' | 'other' | 'end'

const NEWLINE = 10
const HASH = 35

/**
 * Cuts a CIF into tokens by the rules of CIF 1.1 (Hall & McMahon, International Tables G, 2.2.7): quotes end only before white
 * space, text fields stand between lines that begin with a semicolon. Lists, tables and triple quotes of CIF 2.0 are one value
 * each. The fields describe the token that `next` has read.
 */
export class CifScanner {
  kind: CifTokenKind = 'end'
  text = ''
  /** Whether the value was quoted, so that `.` and `?` are text. */
  quoted = false
  /** Counted from 1. */
  line = 1
  /** Start of the token in the text. */
  start = 0
  readonly #source: string
  readonly #secondVersion: boolean
  #position = 0
  #linesPassed = 1

  constructor(source: string) {
    this.#source = source
    this.#secondVersion = source.startsWith('#\\#CIF_2')
  }

  next(): CifTokenKind {
    this.#skipBlank()
    const source = this.#source
    const position = this.#position
    this.line = this.#linesPassed
    this.start = position
    this.quoted = false
    if (position >= source.length) return this.#emit('end', '', position)
    const first = source.charAt(position)
    if (first === ';' && this.#atLineStart(position)) return this.#readTextField()
    if (first === "'" || first === '"') return this.#readQuoted(first)
    if (this.#secondVersion && (first === '[' || first === '{')) return this.#readBracketed()
    return this.#readBare()
  }

  #emit(kind: CifTokenKind, text: string, end: number): CifTokenKind {
    this.kind = kind
    this.text = text
    this.#position = end
    return kind
  }

  #atLineStart(position: number): boolean {
    return position === 0 || this.#source.charCodeAt(position - 1) === NEWLINE
  }

  #skipBlank(): void {
    const source = this.#source
    for (; this.#position < source.length; this.#position++) {
      const code = source.charCodeAt(this.#position)
      if (code === NEWLINE) this.#linesPassed++
      else if (code === HASH) {
        const end = source.indexOf('\n', this.#position)
        this.#position = (end === -1 ? source.length : end) - 1
      } else if (code > 32) return
    }
  }

  #readTextField(): CifTokenKind {
    const start = this.#position + 1
    const found = this.#source.startsWith('\n;', start) ? start : this.#source.indexOf('\n;', start)
    const end = found === -1 ? this.#source.length : found
    const text = this.#source.slice(start, end)
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) this.#linesPassed++
    if (found !== -1) this.#linesPassed++
    this.quoted = true
    return this.#emit('value', text, found === -1 ? end : end + 2)
  }

  #readQuoted(quote: string): CifTokenKind {
    const source = this.#source
    const position = this.#position
    this.quoted = true
    if (this.#secondVersion && source.startsWith(quote.repeat(3), position)) {
      const end = source.indexOf(quote.repeat(3), position + 3)
      const text = source.slice(position + 3, end === -1 ? source.length : end)
      this.#linesPassed += text.split('\n').length - 1
      return this.#emit('value', text, end === -1 ? source.length : end + 3)
    }
    const newline = source.indexOf('\n', position)
    const lineEnd = newline === -1 ? source.length : newline
    for (
      let end = source.indexOf(quote, position + 1);
      end !== -1 && end < lineEnd;
      end = source.indexOf(quote, end + 1)
    ) {
      if (
        end + 1 >= lineEnd ||
        source.charCodeAt(end + 1) <= 32 ||
        (this.#secondVersion && /[\]},]/.test(source.charAt(end + 1)))
      ) {
        return this.#emit('value', source.slice(position + 1, end), end + 1)
      }
    }
    // A quote without an end: the rest of the line is the value, as most readers take it.
    return this.#emit('value', source.slice(position + 1, lineEnd).trimEnd(), lineEnd)
  }

  /** A list or table of CIF 2.0; what stands in it matters to nobody who looks for atoms. */
  #readBracketed(): CifTokenKind {
    const source = this.#source
    let depth = 0
    let end = this.#position
    for (; end < source.length; end++) {
      const character = source.charAt(end)
      if (character === '[' || character === '{') depth++
      else if (character === ']' || character === '}') depth--
      else if (character === '\n') this.#linesPassed++
      else if ((character === "'" || character === '"') && /[\s[{,:]/.test(source.charAt(end - 1))) {
        const close = source.indexOf(character, end + 1)
        if (close !== -1) end = close
      }
      if (depth === 0) break
    }
    this.quoted = true
    return this.#emit('value', source.slice(this.#position, end + 1), end + 1)
  }

  #readBare(): CifTokenKind {
    const source = this.#source
    const position = this.#position
    let end = position
    while (end < source.length && source.charCodeAt(end) > 32) end++
    const text = source.slice(position, end)
    if (text.charCodeAt(0) === 95) return this.#emit('tag', text, end)
    const reserved = /^(?:data_|save_|loop_$|global_$|stop_$)/i.exec(text)?.[0].toLowerCase()
    if (reserved === undefined) return this.#emit('value', text, end)
    if (reserved === 'data_') return this.#emit('data', text.slice(5), end)
    if (reserved === 'save_') return this.#emit('save', text.slice(5), end)
    return this.#emit(reserved === 'loop_' ? 'loop' : 'other', text, end)
  }
}
