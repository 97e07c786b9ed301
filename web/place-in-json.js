/** @typedef {readonly [start: number, end: number]} Place */

/**
 * Finds what a path such as `$and[1].lattice.a.$gtt` names in a JSON text: a key, or an element of an array. Keys may hold
 * dots themselves. When the path leads further than the text does, the last step that is there is the answer.
 * @param {string} text
 * @param {string} path
 * @returns {Place | null}
 */
export function placeInJson(text, path) {
  let position = 0
  let missing = Number.POSITIVE_INFINITY
  /** @type {Place | null} */
  let best = null

  /** @param {number} start @param {string | null} rest */
  function note(start, rest) {
    if (rest === null || rest.length >= missing) return
    missing = rest.length
    best = [start, position]
  }

  function skipSpace() {
    while (' \t\n\r'.includes(text.charAt(position)) && position < text.length) position++
  }

  function skipString() {
    position++
    while (position < text.length && text.charAt(position) !== '"') position += text.charAt(position) === '\\' ? 2 : 1
    position++
  }

  /** @param {string | null} rest What is still to be found below this value; null when it is elsewhere. */
  function walk(rest) {
    skipSpace()
    const first = text.charAt(position)
    if (first === '{') walkAll('}', () => walkEntry(rest))
    else if (first === '[') walkAll(']', (index) => walkItem(rest, index))
    else if (first === '"') skipString()
    else while (position < text.length && !',]} \t\n\r'.includes(text.charAt(position))) position++
  }

  /** @param {string} close @param {(index: number) => void} walkOne */
  function walkAll(close, walkOne) {
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

  /** @param {string | null} rest */
  function walkEntry(rest) {
    const start = position
    skipString()
    const below = rest === null ? null : after(rest, JSON.parse(text.slice(start, position)))
    note(start, below)
    skipSpace()
    position++
    walk(below)
  }

  /** @param {string | null} rest @param {number} index */
  function walkItem(rest, index) {
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
 * @param {string} rest
 * @param {string} key
 */
function after(rest, key) {
  const path = rest.startsWith('.') ? rest.slice(1) : rest
  if (!path.startsWith(key)) return null
  const below = path.slice(key.length)
  return below === '' || below.startsWith('.') || below.startsWith('[') ? below : null
}

/**
 * The place of one character, by line and column counted from 1.
 * @param {string} text
 * @param {number} line
 * @param {number} column
 * @returns {Place}
 */
export function placeOfCharacter(text, line, column) {
  const before = text.split('\n').slice(0, line - 1)
  const start = Math.min(before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1, text.length)
  return [start, Math.min(start + 1, text.length)]
}
