import { isJsonArray, isJsonObject, type Json, setOwnField } from '../../kernel/json.ts'

/** Levels within each other that are kept of what a file says beside. */
const MOST_LEVELS = 30

/** A value without what is too deep within it, which is named in its place. */
export function shallow(value: Json, level = 0): Json {
  if (typeof value !== 'object' || value === null) return value
  if (level >= MOST_LEVELS) return '(more levels)'
  if (isJsonArray(value)) return value.map((item) => shallow(item, level + 1))
  if (!isJsonObject(value)) return null
  const fields: Record<string, Json> = {}
  for (const [name, inner] of Object.entries(value)) setOwnField(fields, name, shallow(inner, level + 1))
  return fields
}

/** Parses JSON as Python writes it, where numbers that are none are NaN and Infinity: they are null. Undefined where it is no JSON. */
export function parsePythonJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    try {
      return JSON.parse(withNulls(text)) as Json
    } catch {
      return undefined
    }
  }
}

const NO_NUMBER = /-?\b(?:NaN|Infinity)\b/g

/** The text with null for numbers that are none, but in strings. */
function withNulls(text: string): string {
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    const quote = text.indexOf('"', from)
    const start = quote === -1 ? text.length : quote
    const end = quote === -1 ? text.length : endOfString(text, quote)
    parts.push(text.slice(from, start).replace(NO_NUMBER, 'null'), text.slice(start, end))
    from = end
  }
  return parts.join('')
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === '\\') at += 1
    else if (letter === '"') return at + 1
  }
  return text.length
}
