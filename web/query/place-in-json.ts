import { textOf } from './json-tokens.ts'

/** Where something stands in a text. */
export type Place = readonly [start: number, end: number]

/**
 * Finds what a path such as `$and[1].lattice.a.$gtt` names in a JSON text, as people type it: a key, or an element of an array.
 * Keys may hold dots themselves. When the path leads further than the text does, the last step that is there is the answer.
 */
export function placeInJson(text: string, path: string): Place | null {
  let position = 0
  let missing = Number.POSITIVE_INFINITY
  let best: Place | null = null

  function note(start: number, rest: string | null): void {
    if (rest === null || rest.length >= missing) return
    missing = rest.length
    best = [start, position]
  }

  function skipSpace(): void {
    while (' \t\n\r'.includes(text.charAt(position)) && position < text.length) position++
  }

  function skipString(): void {
    const quote = text.charAt(position)
    position++
    while (position < text.length && text.charAt(position) !== quote) position += text.charAt(position) === '\\' ? 2 : 1
    position++
  }

  function skipWord(): void {
    while (position < text.length && !',:]} \t\n\r'.includes(text.charAt(position))) position++
  }

  /** A text in quotes, or a key without. */
  function skipName(): void {
    if (`"'`.includes(text.charAt(position))) skipString()
    else skipWord()
  }

  /** @param rest What is still to be found below this value; null when it is elsewhere. */
  function walk(rest: string | null): void {
    skipSpace()
    const first = text.charAt(position)
    if (first === '{') walkAll('}', () => walkEntry(rest))
    else if (first === '[') walkAll(']', (index) => walkItem(rest, index))
    else skipName()
  }

  function walkAll(close: string, walkOne: (index: number) => void): void {
    position++
    for (let index = 0; position < text.length; index++) {
      skipSpace()
      if (text.charAt(position) === ',') position++
      skipSpace()
      if (text.charAt(position) === close) break
      const before = position
      walkOne(index)
      if (position === before) throw new SyntaxError('not JSON')
      skipSpace()
    }
    position++
  }

  function walkEntry(rest: string | null): void {
    const start = position
    skipName()
    const below = rest === null ? null : after(rest, textOf(text.slice(start, position)))
    note(start, below)
    skipSpace()
    position++
    walk(below)
  }

  function walkItem(rest: string | null, index: number): void {
    const start = position
    const below = rest?.startsWith(`[${index}]`) ? rest.slice(`[${index}]`.length) : null
    walk(below)
    if (below === '') note(start, below)
  }

  try {
    walk(path)
  } catch {
    // The text is not JSON: what was found before the fault still holds.
  }
  return best
}

/**
 * Takes a key off the front of a path; null when the path begins with another one.
 */
function after(rest: string, key: string): string | null {
  const path = rest.startsWith('.') ? rest.slice(1) : rest
  if (!path.startsWith(key)) return null
  const below = path.slice(key.length)
  return below === '' || below.startsWith('.') || below.startsWith('[') ? below : null
}

/**
 * The place of one character, by line and column counted from 1.
 */
export function placeOfCharacter(text: string, line: number, column: number): Place {
  const before = text.split('\n').slice(0, line - 1)
  const start = Math.min(before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1, text.length)
  return [start, Math.min(start + 1, text.length)]
}
