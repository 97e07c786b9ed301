const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Follows how deeply brackets are nested in JSON text that comes one byte, or one character, at a time. */
export class Nesting {
  depth = 0
  inString = false
  #escaped = false

  read(code: number): void {
    if (this.inString) this.#readInString(code)
    else if (code === QUOTE) this.inString = true
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) this.depth += 1
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) this.depth -= 1
  }

  #readInString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === BACKSLASH) this.#escaped = true
    else if (code === QUOTE) this.inString = false
  }
}
