const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?/y
const MOST_DEPTH = 32
const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  exp: Math.exp,
  log: Math.log,
  abs: Math.abs,
}

/** Computes `1/3`, `-0.5*sqrt(3)/2` or `2^-1`, as inputs of programs may write numbers; nothing for other texts. */
export function evaluateArithmetic(text: string): number | undefined {
  const reader = new ArithmeticReader(text.toLowerCase())
  const value = reader.sum(0)
  return reader.atEnd() && Number.isFinite(value) ? value : undefined
}

/** Recursive descent; whatever cannot be read becomes NaN. */
class ArithmeticReader {
  #position = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    return this.#position === this.#text.length
  }

  sum(depth: number): number {
    if (depth > MOST_DEPTH) return Number.NaN
    let value = this.#product(depth)
    for (;;) {
      if (this.#take('+')) value += this.#product(depth)
      else if (this.#take('-')) value -= this.#product(depth)
      else return value
    }
  }

  #product(depth: number): number {
    let value = this.#signed(depth)
    for (;;) {
      if (this.#text.startsWith('**', this.#position)) return Number.NaN
      if (this.#take('*')) value *= this.#signed(depth)
      else if (this.#take('/')) value /= this.#signed(depth)
      else return value
    }
  }

  #signed(depth: number): number {
    if (depth > MOST_DEPTH) return Number.NaN
    if (this.#take('-')) return -this.#signed(depth + 1)
    if (this.#take('+')) return this.#signed(depth + 1)
    const base = this.#atom(depth)
    return this.#take('^') ? base ** this.#signed(depth + 1) : base
  }

  #atom(depth: number): number {
    const name = /[a-z]+(?=\()/y
    name.lastIndex = this.#position
    const found = name.exec(this.#text)?.[0]
    if (found !== undefined && Object.hasOwn(FUNCTIONS, found)) {
      this.#position += found.length
      return (FUNCTIONS[found] as (x: number) => number)(this.#atom(depth + 1))
    }
    if (this.#take('(')) {
      const value = this.sum(depth + 1)
      return this.#take(')') ? value : Number.NaN
    }
    NUMBER.lastIndex = this.#position
    const number = NUMBER.exec(this.#text)?.[0]
    if (number === undefined) return Number.NaN
    this.#position += number.length
    return Number(number.replace('d', 'e'))
  }

  #take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false
    this.#position++
    return true
  }
}
