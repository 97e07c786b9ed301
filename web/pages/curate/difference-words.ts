import { fieldAt } from '../../../src/page/known-fields.ts'
import type { Sample } from './bulk.ts'

/** What a change would do to a field, as people call it. */
export interface DifferenceWords {
  readonly field: string
  /** Null where there is nothing, and where only what comes of it says anything. */
  readonly from: string | null
  readonly to: string | null
}

/** Texts that are longer are cut. */
const LONGEST = 40

/** Says what a field was, and what it will be. */
export function differenceWords({ path, from, to }: NonNullable<Sample['changes']>[number]): DifferenceWords {
  // The place in a list says nothing to people.
  const name = path
    .slice(1)
    .replace(/\/\d+$/, '')
    .replaceAll('/', '.')
  if (name === 'isPublic') return { field: fieldAt(name).title, from: seenBy(from), to: seenBy(to) }
  if (name === 'inSet') return { field: 'set', from: setsIn(from), to: setsIn(to) }
  return { field: name, from: textOf(from), to: textOf(to) }
}

function seenBy(isPublic: unknown): string {
  return isPublic === true ? 'everybody' : 'its account alone'
}

/** The names that the entries of a record say of its sets. */
function setsIn(entries: unknown): string | null {
  if (entries === undefined) return null
  const all = [entries].flat() as readonly { readonly slug?: string; readonly _id?: string }[]
  return all.map(({ slug, _id }) => slug ?? _id).join(', ')
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
