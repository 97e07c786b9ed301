const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Follows how deeply brackets are nested in JSON text that comes one byte at a time. */
export class Nesting {
  depth = 0
  inString = false
  private escaped = false

  read(byte: number): void {
    if (this.inString) this.readInString(byte)
    else if (byte === QUOTE) this.inString = true
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) this.depth += 1
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) this.depth -= 1
  }

  private readInString(byte: number): void {
    if (this.escaped) this.escaped = false
    else if (byte === BACKSLASH) this.escaped = true
    else if (byte === QUOTE) this.inString = false
  }
}
