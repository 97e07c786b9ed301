/** How a programming language writes the values of JSON. */
export interface Notation {
  readonly true: string
  readonly false: string
  readonly null: string
  /** What stands between a brace and what is in it. */
  readonly padding: string
  /** Spaces for each level. */
  readonly step: number
  string(text: string): string
  key(text: string): string
}

export const PYTHON: Notation = {
  true: 'True',
  false: 'False',
  null: 'None',
  padding: '',
  step: 4,
  string: (text) => JSON.stringify(text),
  key: (text) => JSON.stringify(text),
}

export const TYPESCRIPT: Notation = {
  true: 'true',
  false: 'false',
  null: 'null',
  padding: ' ',
  step: 2,
  string: singleQuoted,
  // As a plain key it would say what the object inherits from.
  key: (text) => (text === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(text) ? text : singleQuoted(text)),
}

/** A line that is longer is broken. */
const WIDTH = 88

/** Writes a value of JSON, on one line when it is short, as it stands `indent` spaces into its line. */
export function literal(value: unknown, notation: Notation, indent = 0): string {
  const line = inLine(value, notation)
  if (indent + line.length <= WIDTH || typeof value !== 'object' || value === null) return line
  const inner = indent + notation.step
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = partsOf(value, notation).map(
    ({ name, item }) => `${' '.repeat(inner)}${name}${literal(item, notation, inner + name.length)},\n`,
  )
  return lines.length === 0 ? line : `${open}\n${lines.join('')}${' '.repeat(indent)}${close}`
}

function inLine(value: unknown, notation: Notation): string {
  if (typeof value === 'string') return notation.string(value)
  if (typeof value === 'boolean') return value ? notation.true : notation.false
  if (typeof value !== 'object' || value === null) return value === null ? notation.null : JSON.stringify(value)
  const parts = partsOf(value, notation).map(({ name, item }) => name + inLine(item, notation))
  if (Array.isArray(value)) return `[${parts.join(', ')}]`
  return parts.length === 0 ? '{}' : `{${notation.padding}${parts.join(', ')}${notation.padding}}`
}

function partsOf(value: object, { key }: Notation): readonly { readonly name: string; readonly item: unknown }[] {
  if (Array.isArray(value)) return value.map((item) => ({ name: '', item }))
  return Object.entries(value).map(([name, item]) => ({ name: `${key(name)}: `, item }))
}

/**
 * The value that a JSON text stands for, where a program that has the value sends the same text again; else undefined. A number of twenty
 * digits, a key that is given twice, keys that an object would order anew: a text with one of these is sent as it is.
 */
export function exactValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === withoutSpace(text) ? value : undefined
  } catch {
    return undefined
  }
}

function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function singleQuoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
