import { signal } from '@preact/signals'

/** A change of many records that the server carries out in portions. */
export interface BulkTask {
  readonly _id: string
  readonly collection: string
  readonly action: 'update' | 'remove' | 'recompute' | 'import' | 'undo'
  readonly state: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed'
  readonly matched: number
  readonly done: number
  readonly count: number
  readonly unchanged: number
  readonly refused: number
  readonly undo: string | null
  readonly at: string
  readonly by: { readonly slug: string }
}

/** Grows when one has begun here, so that its progress is shown. */
export const begun = signal(0)

/** Collections that are being changed in this account: a list of one is asked for anew when that has ended, and is not told of each portion. */
export const changing = signal<ReadonlySet<string>>(new Set())

const KEY = 'quarry-tasks'

/** Whether one that was begun in this browser may be under way: of others, the stream of changes tells. */
export function mayBeUnderWay(): boolean {
  return localStorage.getItem(KEY) !== null
}

/** Keeps whether one is under way, for when the page is opened again. */
export function keepUnderWay(isUnderWay: boolean): void {
  if (isUnderWay) localStorage.setItem(KEY, '1')
  else localStorage.removeItem(KEY)
}

/** Shows the progress of one that has begun. */
export function followTasks(): void {
  keepUnderWay(true)
  begun.value += 1
}
