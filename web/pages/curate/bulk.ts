import { ask } from '../../api/client.ts'

/** Which records are meant: those that were chosen, or all that the list's query matches. */
export type Meant = { readonly ids: readonly string[] } | { readonly query: unknown }

/** What the server says of a change of many records. */
export interface Outcome {
  readonly matched: number
  readonly changed: number
  readonly others: number
  readonly missing: number
  readonly undo: string | null
  readonly sample?: readonly Sample[]
}

export interface Sample {
  readonly _id: string
  readonly name?: string
  readonly changes?: readonly { readonly path: string; readonly from?: unknown; readonly to?: unknown }[]
  readonly more?: number
}

/** What can be done to many records; null: they are removed. */
export type Change = Readonly<Record<string, unknown>> | null

/** Tells what a change would do. */
export async function tryChange(collection: string, meant: Meant, change: Change): Promise<Outcome> {
  const { data } = await send(collection, { ...meant, dryRun: true }, change)
  return data
}

/** Makes a change of as many records as were told before. */
export async function makeChange(
  collection: string,
  meant: Meant,
  change: Change,
  expectedCount: number,
): Promise<Outcome> {
  const { data } = await send(collection, { ...meant, expectedCount }, change)
  return data
}

function send(collection: string, body: object, change: Change) {
  return change === null
    ? ask<Outcome>('DELETE', `/${collection}`, { body })
    : ask<Outcome>('PATCH', `/${collection}`, { body: { ...body, change } })
}

/** Puts back what a change did; gives what there is to say of it. */
export async function undoChange(id: string): Promise<string> {
  const { data } = await ask<{ undone: number; skipped: readonly { reason: string }[] }>(
    'POST',
    `/bulk-changes/${encodeURIComponent(id)}/undo`,
  )
  const left = data.skipped.length
  return `${numbered(data.undone, 'record')} put back${left === 0 ? '' : `; ${left} not, changed or gone since`}.`
}

/** `1 record`, `2 records`. */
export function numbered(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
