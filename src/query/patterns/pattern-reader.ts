/** Steps through a pattern by Unicode code points. */
export class PatternReader {
  readonly source: string
  offset = 0

  constructor(source: string) {
    this.source = source
  }

  get done(): boolean {
    return this.offset >= this.source.length
  }

  /** The next character without taking it; empty at the end. */
  peek(): string {
    const code = this.source.codePointAt(this.offset)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  take(): string {
    const character = this.peek()
    this.offset += character.length
    return character
  }

  /** Takes a text if it comes next. */
  takeText(text: string): boolean {
    if (!this.source.startsWith(text, this.offset)) return false
    this.offset += text.length
    return true
  }

  /** Takes what a sticky expression matches here; null when it does not match. */
  takeMatch(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.offset
    const match = sticky.exec(this.source)
    if (match !== null) this.offset += match[0].length
    return match
  }
}

/** The flags in force at a point of the pattern; they change within it by `(?i)` and end with their group. */
export interface PatternFlags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
}

/** Says why a pattern cannot be used; becomes an `AppError` where the place in the query is known. */
export class PatternProblem extends Error {
  readonly kind: 'malformed' | 'unsupported' | 'tooLarge'
  /** UTF-16 offset in the pattern. */
  readonly offset: number
  readonly hint: string | undefined

  constructor(kind: PatternProblem['kind'], problem: string, offset: number, hint?: string) {
    super(problem)
    this.name = 'PatternProblem'
    this.kind = kind
    this.offset = offset
    this.hint = hint
  }
}
