import type { StructureLimits } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { shorten } from '../common/text.ts'
import type { UnusedLines } from '../common/unused-lines.ts'
import { preprocess } from './preprocessor.ts'

/** A line of a section: a keyword with its values, an atom, a file that is included. */
export interface InputRow {
  /** The first word. */
  readonly keyword: string
  /** What stands behind it. */
  readonly value: string
  readonly line: number
}

/** Name of lines that are in no section. */
const OUTSIDE = 'lines outside of sections'

/** A section that knows which of its lines and sections were asked for. */
export class Section {
  /** In capitals; empty of the whole input. */
  readonly name: string
  /** What stands behind the name: `Fe1` of `&KIND Fe1`. */
  readonly parameter: string
  readonly line: number
  readonly rows: InputRow[] = []
  readonly inner: Section[] = []
  readonly #taken = new Set<InputRow | Section>()

  constructor(name: string, parameter: string, line: number) {
    this.name = name
    this.parameter = parameter
    this.line = line
  }

  /** Takes the lines of a keyword. */
  takeAll(...keywords: readonly string[]): readonly InputRow[] {
    return this.#mark(this.rows.filter(({ keyword }) => keywords.includes(keyword.toUpperCase())))
  }

  /** Takes the line of a keyword, under any of its names; refuses a second one. */
  take(...keywords: readonly string[]): InputRow | undefined {
    const [row, second] = this.takeAll(...keywords)
    if (second === undefined) return row
    throw refusal(FORMAT_ERRORS.malformed, `${keywords[0]} is there more than once.`, { line: second.line })
  }

  /** Takes the lines that nobody has taken. */
  takeOthers(): readonly InputRow[] {
    return this.#mark(this.rows.filter((row) => !this.#taken.has(row)))
  }

  /** Takes the sections of a name: what nobody takes of their content is left. */
  sections(name: string): readonly Section[] {
    return this.#mark(this.inner.filter((section) => section.name === name))
  }

  /** Takes the section of a name; refuses a second one. */
  section(name: string): Section | undefined {
    const [section, second] = this.sections(name)
    if (second === undefined) return section
    throw refusal(FORMAT_ERRORS.malformed, `&${name} is there more than once.`, { line: second.line })
  }

  /** Files that are included in the section itself. */
  get included(): readonly InputRow[] {
    return this.rows.filter(({ keyword }) => keyword.toUpperCase() === '@INCLUDE')
  }

  /** Tells what nobody has taken, by paths such as `FORCE_EVAL/DFT/MGRID/CUTOFF`. */
  leave(unused: UnusedLines, path = ''): void {
    for (const row of this.rows) {
      if (this.#taken.has(row)) continue
      const isNamed = /^[@A-Za-z]/.test(row.keyword)
      if (isNamed) unused.add(`${path}${row.keyword.toUpperCase()}`, row.value)
      else unused.add(path === '' ? OUTSIDE : path.slice(0, -1), `${row.keyword} ${row.value}`.trim())
    }
    for (const section of this.inner) {
      const isEmpty = section.rows.length + section.inner.length === 0
      if (!this.#taken.has(section) && (isEmpty || section.parameter !== '')) {
        unused.add(`${path}${section.name}`, section.parameter)
      }
      section.leave(unused, `${path}${`${section.name} ${section.parameter}`.trim()}/`)
    }
  }

  #mark<Part extends InputRow | Section>(parts: readonly Part[]): readonly Part[] {
    for (const part of parts) this.#taken.add(part)
    return parts
  }
}

/** Sections within each other. */
const MOST_DEPTH = 32

/** Takes an input apart. */
export function readCp2kInput(text: string, limits: StructureLimits): Section {
  const root = new Section('', '', 1)
  const open = [root]
  for (const { text: content, line } of preprocess(text, limits)) {
    const current = open.at(-1) ?? root
    const [keyword = ''] = /^\S+/.exec(content) ?? []
    const value = content.slice(keyword.length).trim()
    if (/^&END$/i.test(keyword)) {
      requireEndOf(current, value, line)
      open.pop()
    } else if (keyword.startsWith('&')) {
      if (open.length > MOST_DEPTH) {
        throw refusal(FORMAT_ERRORS.malformed, `There are more than ${MOST_DEPTH} sections within each other.`, {
          line,
        })
      }
      const section = new Section(keyword.slice(1).toUpperCase(), value, line)
      current.inner.push(section)
      open.push(section)
    } else current.rows.push({ keyword, value, line })
  }
  const last = open.at(-1) ?? root
  if (last === root) return root
  throw refusal(FORMAT_ERRORS.malformed, `&${shorten(last.name)} has no &END.`, { line: last.line })
}

function requireEndOf(section: Section, value: string, line: number): void {
  const name = value.split(/\s/)[0]?.toUpperCase() ?? ''
  if (section.name !== '' && (name === '' || name === section.name)) return
  const end = `&END ${shorten(value)}`.trim()
  const open = section.name === '' ? 'no section' : `&${shorten(section.name)}`
  throw refusal(FORMAT_ERRORS.malformed, `${end} stands where ${open} is open.`, { line })
}
