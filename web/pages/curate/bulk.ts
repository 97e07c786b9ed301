import { ask } from '../../api/client.ts'
import { type BulkTask, followTasks } from '../../app/bulk-tasks.ts'
import { offerUndo } from '../../app/undo.ts'

/** Which records are meant: those that were chosen, or all that the list's query matches. */
export type Meant = { readonly ids: readonly string[] } | { readonly query: unknown }

/** What the server says of a change of many records. */
export interface Outcome {
  readonly matched: number
  /** Null where it is known only once it is done: the server does it in portions. */
  readonly changed: number | null
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

/** What can be done to many records; null: they are removed; or what follows from them is computed anew. */
export type Change = Readonly<Record<string, unknown>> | null | 'recompute'

/** Tells what a change would do. */
export async function tryChange(collection: string, meant: Meant, change: Change): Promise<Outcome> {
  const { data } = await send<Outcome>(collection, { ...meant, dryRun: true }, change)
  return data
}

/** Makes a change of as many records as were told before, or begins it where they are many. */
export async function makeChange(
  collection: string,
  meant: Meant,
  change: Change,
  expectedCount: number,
): Promise<Outcome | BulkTask> {
  const { data } = await send<Outcome | BulkTask>(collection, { ...meant, expectedCount }, change)
  return data
}

const LATER = { prefer: 'respond-async' }

function send<Of>(collection: string, body: object, change: Change) {
  if (change === null) return ask<Of>('DELETE', `/${collection}`, { body, headers: LATER })
  const what = change === 'recompute' ? { recompute: true } : { change }
  return ask<Of>('PATCH', `/${collection}`, { body: { ...body, ...what }, headers: LATER })
}

/** Offers to undo a change that was made, or shows how far one is that has begun. */
export function tellMade(outcome: Outcome | BulkTask, one: string, done: string): void {
  if ('state' in outcome) followTasks()
  else offerToUndo(outcome, one, done)
}

function offerToUndo({ changed, undo }: Outcome, one: string, done: string): void {
  const words = `${numbered(changed ?? 0, one)} ${done}`
  offerUndo(words, undo === null ? null : () => undoChange(undo))
}

/** Puts back what a change did; gives what there is to say of it. */
export async function undoChange(id: string): Promise<string> {
  const { data } = await ask<BulkTask | { undone: number; skipped: readonly { reason: string }[] }>(
    'POST',
    `/bulk-changes/${encodeURIComponent(id)}/undo`,
  )
  if ('state' in data) {
    followTasks()
    return `${numbered(data.matched, 'record')} are being put back.`
  }
  const left = data.skipped.length
  return `${numbered(data.undone, 'record')} put back${left === 0 ? '' : `; ${left} not, changed or gone since`}.`
}

/** `1 record`, `2 records`. */
export function numbered(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
