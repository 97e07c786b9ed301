import { ID_LENGTH, isId, nearestName } from '../kernel/names.ts'
import { show } from '../query/context.ts'
import type { Spelling } from '../query/warnings/field-knowledge.ts'

/** Checks a text that can only be one of a few; without choices, any will do. */
export function spellChoice(choices: readonly string[], text: string): Spelling | null {
  if (choices.length === 0 || choices.includes(text)) return null
  const right =
    choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase()) ?? nearestName(text, choices)
  const all = `It is one of ${choices.map(show).join(', ')}.`
  const hint = right === null ? all : `Did you mean ${show(right)}? ${all}`
  return { fault: 'is no value that the field can have', right, hint }
}

/** Tells whether a value could be an id that the server gave. */
export function isGivenId(value: unknown): boolean {
  return typeof value === 'string' && isId(value)
}

const FOUND_OTHERWISE: Readonly<Record<string, string>> = {
  _id: 'Records of other databases are found by what is in them, such as a formula.',
  'inSet._id': 'Take the _id of the set; sets are found by their names.',
}

/** Checks an id: those of other databases are none, unless an imported record has brought one. */
export function spellId(path: string, text: string): Spelling | null {
  if (isGivenId(text)) return null
  const hint = FOUND_OTHERWISE[path] ?? 'The account of a user is found by its name, at "owner.slug".'
  return {
    fault: `is no id as this server gives them, ${ID_LENGTH} letters and digits, and no record that you can see has it`,
    right: null,
    hint,
  }
}

/** The whole of a time as records have it, or the beginning of one, which is before all that begin with it. */
const INSTANT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?)?)?)?$/
const EXAMPLE = '2024-05-06T07:08:09.010Z'

/** Checks a time in a record: in UTC, so that the order as texts is that in time. */
export function spellInstant(text: string): Spelling | null {
  if (INSTANT.test(text)) return null
  const time = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  const inUtc = /(?:Z|[-+]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(time) ? new Date(time).toISOString() : null
  const fault = 'is not written as times in records are, and is compared with them as a text'
  const hint =
    inUtc === null ? `Times are texts in UTC: "${EXAMPLE}", or the beginning of one: "2024-05".` : `Write "${inUtc}".`
  return inUtc === null ? { fault, right: null, hint } : { fault, right: inUtc, hint, instead: [{ operand: inUtc }] }
}
