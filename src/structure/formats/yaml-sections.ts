import { type Json, setOwnField } from '../../kernel/json.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { linesOf, readNumber, shorten } from './common/text.ts'

/** A key of the outermost level of a file of YAML, with what stands below it. */
export interface YamlSection {
  /** The line of the key, and those below it. */
  readonly lines: readonly string[]
  /** Of the file, counted from 1, where the key is. */
  readonly line: number
}

/** Takes a file apart at the keys of its outermost level, without reading what they hold: of a long file a part is asked for. */
export function sectionsOfYaml(text: string): ReadonlyMap<string, YamlSection> {
  const lines = linesOf(text)
  const starts = lines.flatMap((row, index) => {
    const name = /^(\w+):(?:\s|$)/.exec(row)?.[1]
    return name === undefined ? [] : [{ name, index }]
  })
  const first = starts[0]?.index ?? lines.length
  const stray = lines.findIndex((row, index) =>
    index < first ? !/^(?:#|---|%|\s*$)/.test(row) : !/^(?:\w+:(?:\s|$)|[\s#]|-(?:\s|$)|$)/.test(row),
  )
  if (stray !== -1) throw notRead(lines[stray] ?? '', stray + 1)
  const sections = new Map<string, YamlSection>()
  for (const [number, { name, index }] of starts.entries()) {
    if (sections.has(name)) throw isThereTwice(name, index + 1)
    sections.set(name, { lines: lines.slice(index, starts[number + 1]?.index), line: index + 1 })
  }
  return sections
}

/** Reads a section of the YAML that programs print: keys, lists by `-`, lists in brackets, plain and quoted values; refuses what is none of these. */
export function readYaml(section: YamlSection): Json {
  const reader = new BlockReader(section)
  const value = reader.block(0)
  if (reader.row !== undefined) throw notRead(reader.row.text, reader.row.line)
  return value
}

function notRead(text: string, line: number): Error {
  const hint = 'Keys, lists by - or in brackets on one line, numbers and texts are read: as phonopy writes its files.'
  return refusal(FORMAT_ERRORS.malformed, `"${shorten(text)}" is not read as YAML here.`, { line, hint })
}

function isThereTwice(name: string, line: number): Error {
  return refusal(FORMAT_ERRORS.malformed, `${shorten(name)} is there more than once.`, { line })
}

interface YamlRow {
  /** Spaces before the text. */
  readonly indent: number
  readonly text: string
  readonly line: number
}

/** Blocks within each other. */
const MOST_DEPTH = 32
const KEY = /^(\w[\w.-]*):(?:\s+(.*))?$/

/** Reads values line by line; where one ends is told by the spaces before its lines. */
class BlockReader {
  /** The row that is next; none at the end. */
  row: YamlRow | undefined
  readonly #section: YamlSection
  #next = 0
  #depth = 0

  constructor(section: YamlSection) {
    this.#section = section
    this.#advance()
  }

  /** Reads what stands in rows of so many spaces, or more; null where none does. */
  block(least: number): Json {
    const { row } = this
    if (row === undefined || row.indent < least) return null
    this.#depth++
    if (this.#depth > MOST_DEPTH) throw notRead(row.text, row.line)
    const value = isItem(row)
      ? this.#list(row.indent)
      : KEY.test(row.text)
        ? this.#object(row.indent)
        : this.#value(row)
    this.#depth--
    return value
  }

  #list(indent: number): Json {
    const items: Json[] = []
    for (let { row } = this; row !== undefined && row.indent === indent && isItem(row); { row } = this) {
      const text = row.text.slice(1).trimStart()
      if (text === '') this.#advance()
      else this.row = { ...row, indent: indent + row.text.length - text.length, text }
      items.push(this.block(indent + 1))
    }
    return items
  }

  #object(indent: number): Json {
    const object: Record<string, Json> = {}
    for (let { row } = this; row !== undefined && row.indent === indent; { row } = this) {
      const [, key, text = ''] = KEY.exec(row.text) ?? []
      if (key === undefined) throw notRead(row.text, row.line)
      if (Object.hasOwn(object, key)) throw isThereTwice(key, row.line)
      if (text === '') this.#advance()
      else this.row = { ...row, indent: indent + 1, text }
      // Items of a list may stand below the key itself.
      const below = this.row
      const isListBelow = below !== undefined && below.indent === indent && isItem(below)
      setOwnField(
        object,
        key,
        text === '' ? this.block(isListBelow ? indent : indent + 1) : this.#value(this.row as YamlRow),
      )
    }
    return object
  }

  #value({ text, line }: YamlRow): Json {
    this.#advance()
    if (!text.startsWith('[')) return scalarOf(text, line)
    const [, inner] = /^\[([^[\]{}"']*)\]$/.exec(text) ?? []
    if (inner === undefined) throw notRead(text, line)
    return inner.trim() === '' ? [] : inner.split(',').map((word) => scalarOf(word.trim(), line))
  }

  #advance(): void {
    const { lines, line } = this.#section
    this.row = undefined
    while (this.#next < lines.length && this.row === undefined) {
      const content = withoutComment(lines[this.#next] ?? '')
      const text = content.trim()
      this.#next++
      if (text !== '') this.row = { indent: content.search(/[^ ]/), text, line: line + this.#next - 1 }
    }
  }
}

function isItem({ text }: YamlRow): boolean {
  return text === '-' || text.startsWith('- ')
}

/** Cuts at a `#` behind a space, outside quotes. */
function withoutComment(row: string): string {
  if (!row.includes('#')) return row
  const masked = row.replace(/"[^"]*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length))
  const start = masked.search(/(?<!\S)#/)
  return start === -1 ? row : row.slice(0, start)
}

function scalarOf(text: string, line: number): Json {
  if (/^(?:~|null)?$/.test(text)) return null
  if (text === 'true' || text === 'false') return text === 'true'
  const [, double, single] = /^(?:"([^"\\]*)"|'([^']*)')$/.exec(text) ?? []
  if (double !== undefined || single !== undefined) return double ?? single ?? ''
  if (/^[-?:,[\]{}#&*!|>'"%@`](?!\d|\.\d)/.test(text) || KEY.test(text)) throw notRead(text, line)
  return readNumber(text) ?? text
}
