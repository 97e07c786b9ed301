import type { Spelling } from '../../query/warnings/field-guide.ts'

/** The whole of a time as records have it, or the beginning of one, which is before all that begin with it. */
const INSTANT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?)?)?)?$/
const EXAMPLE = '2024-05-06T07:08:09.010Z'

/** How times are written in records: in UTC, so that their order as texts is that in time. */
export function spellInstant(text: string): Spelling | null {
  if (INSTANT.test(text)) return null
  const time = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  const inUtc = /(?:Z|[-+]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(time) ? new Date(time).toISOString() : null
  const fault = 'is not written as times in records are, and is compared with them as a text'
  const hint =
    inUtc === null ? `Times are texts in UTC: "${EXAMPLE}", or the beginning of one: "2024-05".` : `Write "${inUtc}".`
  return { fault, right: inUtc, hint }
}
