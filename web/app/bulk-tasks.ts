import { signal } from '@preact/signals'

/** A change of many records that the server carries out in portions. */
export interface BulkTask {
  readonly _id: string
  readonly collection: string
  readonly action: 'update' | 'remove' | 'undo'
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

/** Shows the progress of one that has begun. */
export function followTasks(): void {
  begun.value += 1
}
