import { nearestName } from '../../kernel/names.ts'
import { show } from '../../query/parse/parse-context.ts'
import type { Spelling } from '../../query/warnings/field-guide.ts'

/** How a text is written that can only be one of a few; without choices, any will do. */
export function spellChoice(choices: readonly string[], text: string): Spelling | null {
  if (choices.length === 0 || choices.includes(text)) return null
  const right =
    choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase()) ?? nearestName(text, choices)
  const all = `It is one of ${choices.map(show).join(', ')}.`
  const hint = right === null ? all : `Did you mean ${show(right)}? ${all}`
  return { fault: 'is no value that the field can have', right, hint }
}
