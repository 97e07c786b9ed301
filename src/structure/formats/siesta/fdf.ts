import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { shorten } from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'

/** Words of a line. */
export interface FdfRow {
  readonly words: readonly string[]
  /** Counted from 1. */
  readonly line: number
}

/** A value or a block. */
export interface FdfEntry {
  /** Of a block its rows; else one, of what stands behind the name. */
  readonly rows: readonly FdfRow[]
  /** Counted from 1. */
  readonly line: number
  /** The file that has the value. */
  readonly file?: string
}

/** Takes the file apart: values and blocks by name, in small letters and without `-`, `_` and `.`; of a name that is there again the first counts. */
export class FdfFile {
  /** What nobody has taken, once it is left. */
  readonly unused = new UnusedLines()
  readonly #entries = new Map<string, FdfEntry>()
  #block: FdfRow[] | null = null

  /** Takes a line in, without its comment. */
  line(text: string, line: number): void {
    const words = text.split(/[\s=:,]+/).filter((word) => word !== '')
    const [first = '', name = '', ...others] = words
    if (first === '') return
    if (/^%endblock$/i.test(first)) this.#block = null
    else if (this.#block !== null) this.#block.push({ words, line })
    else if (/^%block$/i.test(first)) this.#begin(name, others, line)
    else if (/^%include$/i.test(first)) throw elsewhere('Part of the input', name, line)
    else this.#value(words, line)
  }

  #begin(name: string, others: readonly string[], line: number): void {
    const rows: FdfRow[] = []
    const file = others[0] === '<' ? { file: others[1] ?? '' } : {}
    if (others[0] !== '<') this.#block = rows
    this.#add(name, { rows, line, ...file })
  }

  #value(words: readonly string[], line: number): void {
    const mark = words.indexOf('<')
    if (mark === -1) this.#add(words[0] ?? '', { rows: [{ words: words.slice(1), line }], line })
    else for (const name of words.slice(0, mark)) this.#add(name, { rows: [], line, file: words[mark + 1] ?? '' })
  }

  #add(name: string, entry: FdfEntry): void {
    const key = name.replace(/[-_.]/g, '').toLowerCase()
    if (this.#entries.has(key)) this.#leave(key, entry)
    else this.#entries.set(key, entry)
  }

  /** Looks at an entry and leaves it. */
  peek(name: string): FdfEntry | undefined {
    return this.#entries.get(name)
  }

  /** Takes a value or a block, which has to be in this file. */
  take(name: string): FdfEntry | undefined {
    const entry = this.#entries.get(name)
    if (entry?.file !== undefined) throw elsewhere(name, entry.file, entry.line)
    this.#entries.delete(name)
    return entry
  }

  /** Takes the words behind a name. */
  takeWords(name: string): readonly string[] {
    return this.take(name)?.rows[0]?.words ?? []
  }

  /** Takes what no one has asked for to the rest. */
  leave(): void {
    for (const [name, entry] of this.#entries) this.#leave(name, entry)
  }

  #leave(name: string, { rows, file }: FdfEntry): void {
    this.unused.add(name, file === undefined ? rows.map(({ words }) => words.join(' ')).join('\n') : `< ${file}`)
  }
}

function elsewhere(what: string, file: string, line: number): Error {
  const message = `${what} is in another file, "${shorten(file)}".`
  const hint = 'Put the text of that file in the place of the line, and send one file.'
  return refusal(FORMAT_ERRORS.notRepresentable, message, { line, hint })
}
