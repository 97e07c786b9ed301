/** Follows how deeply brackets are nested in JSON text that comes one character at a time. */
export class Nesting {
  depth = 0
  inString = false
  private escaped = false

  read(character: string): void {
    if (this.inString) this.readInString(character)
    else if (character === '"') this.inString = true
    else if (character === '{' || character === '[') this.depth += 1
    else if (character === '}' || character === ']') this.depth -= 1
  }

  private readInString(character: string): void {
    if (this.escaped) this.escaped = false
    else if (character === '\\') this.escaped = true
    else if (character === '"') this.inString = false
  }
}
