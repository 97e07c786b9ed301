import type { StructureLimits } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { requireShort } from '../common/splitter.ts'
import { linesOf } from '../common/text.ts'

/** A line of an input, with its variables replaced and without comments. */
export interface InputLine {
  readonly text: string
  /** Counted from 1; of several that are one, the first. */
  readonly line: number
}

/** Applies `@SET`, `@IF` and variables, as CP2K does before it reads an input; `@INCLUDE` stays. */
export function preprocess(text: string, limits: StructureLimits): readonly InputLine[] {
  const variables = new Variables(limits)
  const lines: InputLine[] = []
  let condition: { readonly holds: boolean; readonly line: number } | null = null
  for (const { text: given, line } of joinedLines(text)) {
    const content = variables.replace(given)
    const [, directive = '', value = ''] = /^@(\w+)\s*(.*)$/.exec(content) ?? []
    const name = directive.toUpperCase()
    if (name === 'ENDIF') condition = null
    else if (condition?.holds === false) continue
    else if (name === 'IF') {
      if (condition !== null) throw refusal(FORMAT_ERRORS.malformed, '@IF stands within another @IF.', { line })
      condition = { holds: holds(value), line }
    } else if (name === 'SET') variables.set(value)
    else if (name !== 'PRINT' && content !== '@') lines.push({ text: content, line })
  }
  if (condition === null) return lines
  throw refusal(FORMAT_ERRORS.malformed, '@IF has no @ENDIF.', { line: condition.line })
}

/** Lines without comments that say something; one that ends in `\` goes on in the next. */
function joinedLines(text: string): readonly InputLine[] {
  const lines: InputLine[] = []
  let parts: string[] = []
  const given = linesOf(text)
  for (const [index, raw] of given.entries()) {
    const content = raw.replace(/[!#].*/, '').trim()
    parts.push(content.replace(/\\$/, ''))
    if (content.endsWith('\\') && index < given.length - 1) continue
    const whole = parts.join(' ').trim()
    if (whole !== '') lines.push({ text: whole, line: index + 2 - parts.length })
    parts = []
  }
  return lines
}

class Variables {
  readonly #values = new Map<string, string>()
  readonly #limits: StructureLimits
  /** Characters that were put in. */
  #length = 0

  constructor(limits: StructureLimits) {
    this.#limits = limits
  }

  set(definition: string): void {
    const [, name = '', value = ''] = /^(\w+)\s*(.*)$/.exec(definition) ?? []
    this.#values.set(name, value)
  }

  /** Replaces `$NAME`, `${NAME}` and `${NAME-default}`; what has no value stays as it is. */
  replace(text: string): string {
    if (!text.includes('$')) return text
    return text.replace(
      /\$(?:(\w+)|\{(\w+)(?:-([^{}]*))?\})/g,
      (whole, plain?: string, braced?: string, other?: string) => {
        const value = this.#values.get(plain ?? braced ?? '') ?? other ?? whole
        this.#length += value.length
        requireShort(this.#length, this.#limits, 1)
        return value
      },
    )
  }
}

/** `A == B`, `A /= B`, or a text that is neither nothing nor 0. */
function holds(condition: string): boolean {
  const text = condition.replace(/[()]/g, ' ').trim()
  const [, one = '', sign = '', other = ''] = /^(.*?)(==|\/=)(.*)$/.exec(text) ?? []
  if (sign === '') return text !== '' && text !== '0'
  return (one.trim() === other.trim()) === (sign === '==')
}
