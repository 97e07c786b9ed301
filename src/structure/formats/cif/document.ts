import type { StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { shorten } from '../common/text.ts'
import { CifScanner } from './scanner.ts'

/** A value as it stands in the file; `.` and `?` unquoted mean "does not apply" and "unknown". */
export interface CifValue {
  readonly text: string
  readonly quoted: boolean
  /** Counted from 1. */
  readonly line: number
  /** Start in the text, quotes included. */
  readonly start: number
}

/** A table: tags, and values row after row. */
export interface CifLoop {
  readonly tags: readonly string[]
  readonly values: readonly CifValue[]
  /** Line of `loop_`. */
  readonly line: number
  /** Start of what follows the values. */
  readonly end: number
}

/** A data block. Tags are in small letters with `_` for `.`, so that core, DDLm and mmCIF spellings agree. */
export interface CifBlock {
  readonly name: string
  /** Start in the text, and start of what follows. */
  readonly start: number
  readonly end: number
  readonly items: ReadonlyMap<string, CifValue>
  readonly loops: readonly CifLoop[]
  /** The tags as the file spells them, `_` for `.`, where that is otherwise. */
  readonly names: ReadonlyMap<string, string>
  /** Tags that a reader has asked for: all others are the rest of the file. */
  readonly taken: Set<string>
  readonly warnings: readonly StructureWarning[]
}

interface OpenBlock extends CifBlock {
  end: number
  readonly items: Map<string, CifValue>
  readonly loops: CifLoop[]
  readonly names: Map<string, string>
  readonly warnings: StructureWarning[]
}

/** Reads the data blocks of a CIF; what stands in save frames is left out. */
export function readCifDocument(text: string): CifBlock[] {
  const scanner = new CifScanner(text)
  const blocks: OpenBlock[] = []
  let block: OpenBlock = openBlock('', 0, text.length)
  let inFrame = false
  scanner.next()
  while (scanner.kind !== 'end') {
    if (scanner.kind === 'data') {
      block.end = scanner.start
      block = openBlock(scanner.text, scanner.start, text.length)
      blocks.push(block)
      inFrame = false
      scanner.next()
    } else if (scanner.kind === 'save') {
      inFrame = scanner.text !== ''
      scanner.next()
    } else {
      readEntry(scanner, inFrame ? openBlock('', 0, 0) : block)
    }
  }
  // Some programs leave the name of the only block out.
  return blocks.length === 0 && (block.items.size > 0 || block.loops.length > 0) ? [block] : blocks
}

function openBlock(name: string, start: number, end: number): OpenBlock {
  return { name, start, end, items: new Map(), loops: [], names: new Map(), taken: new Set(), warnings: [] }
}

const MOST_WARNINGS = 50

function readEntry(scanner: CifScanner, block: OpenBlock): void {
  if (scanner.kind === 'loop') {
    readLoop(scanner, block)
  } else if (scanner.kind === 'tag') {
    readItem(scanner, block)
  } else {
    if (scanner.kind === 'value' && block.warnings.length < MOST_WARNINGS) {
      const message = `"${scanner.text.slice(0, 40)}" belongs to no tag and is left out.`
      block.warnings.push({ code: 'stray-value', message, line: scanner.line })
    }
    scanner.next()
  }
}

function readItem(scanner: CifScanner, block: OpenBlock): void {
  const tag = readTag(scanner, block)
  const line = scanner.line
  if (scanner.next() !== 'value') {
    block.warnings.push({ code: 'missing-value', message: `${tag} has no value.`, line })
    return
  }
  const first: CifValue = valueAt(scanner)
  const words = [first.text]
  // A symbol such as F m -3 m ought to be quoted; the words that follow on its line belong to it.
  while (scanner.next() === 'value' && scanner.line === first.line && !first.quoted) words.push(scanner.text)
  if (block.items.has(tag)) {
    block.warnings.push({ code: 'tag-twice', message: `${tag} is given twice; the first value is taken.`, line })
    return
  }
  block.items.set(tag, words.length === 1 ? first : { ...first, text: words.join(' ') })
}

function readLoop(scanner: CifScanner, block: OpenBlock): void {
  const line = scanner.line
  const tags: string[] = []
  const values: CifValue[] = []
  while (scanner.next() === 'tag') tags.push(readTag(scanner, block))
  for (; scanner.kind === 'value'; scanner.next()) values.push(valueAt(scanner))
  block.loops.push({ tags, values, line, end: scanner.start })
}

function valueAt({ text, quoted, line, start }: CifScanner): CifValue {
  return { text, quoted, line, start }
}

function readTag({ text }: CifScanner, { names }: OpenBlock): string {
  const name = text.replaceAll('.', '_')
  const tag = name.toLowerCase()
  if (tag !== name) names.set(tag, name)
  return tag
}

/** Tells whether a value says something: not `.`, `?` or nothing. */
export function isGiven(value: CifValue | undefined): value is CifValue {
  return (
    value !== undefined &&
    (value.quoted ? value.text.trim() !== '' && !/^[.?]$/.test(value.text) : !/^[.?]$/.test(value.text))
  )
}

/** Takes the first of several tags that a block gives a value for; loops of one row count as items. */
export function findItem(block: CifBlock, tags: readonly string[]): CifValue | undefined {
  for (const tag of tags) block.taken.add(tag)
  return peekItem(block, tags)
}

/** The same for a value that stays in the rest of the file. */
export function peekItem(block: CifBlock, tags: readonly string[]): CifValue | undefined {
  for (const tag of tags) {
    const item = block.items.get(tag)
    if (isGiven(item)) return item
  }
  for (const loop of block.loops) {
    for (const tag of tags) {
      const column = loop.tags.indexOf(tag)
      if (column === -1) continue
      const value = loop.values[column]
      if (isGiven(value)) return value
    }
  }
  return undefined
}

const CIF_NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)(?:\s*\(\d*\.?\d*\)?)?$/
const RATIO = /^([+-]?\d+)\/(\d+)$/

/** Reads `5.43`, `5.43(2)`, `.5`, `1e-3` or `1/3`; nothing when the text is no number. */
export function readCifNumber(text: string): number | undefined {
  if (text === '') return undefined
  const number = CIF_NUMBER.exec(text.trim())?.[1]
  if (number !== undefined) {
    const value = Number(number.replace(/[dD]/, 'e'))
    return Number.isFinite(value) ? value : undefined
  }
  const [, above, below] = RATIO.exec(text.trim()) ?? []
  return above !== undefined && Number(below) !== 0 ? Number(above) / Number(below) : undefined
}

/** Reads a number that must be one; refuses with tag and line. */
export function requireCifNumber(value: CifValue, tag: string): number {
  const number = readCifNumber(value.text)
  if (number !== undefined) return number
  throw refusal(FORMAT_ERRORS.malformed, `${tag} "${shorten(value.text)}" is not a number.`, { line: value.line })
}
