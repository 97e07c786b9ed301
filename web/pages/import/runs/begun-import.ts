import { ask, Refusal } from '../../../api/client.ts'
import { type BulkTask, followTasks } from '../../../app/bulk-tasks.ts'
import { isUnderWay } from '../../../parts/task-words.ts'
import { linesOf, type PortionToStore } from './lines-to-store.ts'

/** An import that the server carries out, as it tells of it. */
export interface ToldImport extends BulkTask {
  readonly refusals: readonly { readonly _id: string; readonly reason: string; readonly code?: number }[]
  readonly error: { readonly message: string; readonly code: number } | null
}

type Headers = Readonly<Record<string, string>>

/** Hands over what is to be stored; from then on this page is not needed for it. Gives by what it is followed. */
export async function beginImport(portions: readonly PortionToStore[], headers: Headers): Promise<string> {
  const lines = portions.flatMap(linesOf)
  const body = new Blob([lines.join('\n')], { type: 'application/x-ndjson' })
  const { data } = await ask<BulkTask>('POST', '/jobs/imports', { body, headers })
  followTasks()
  return data._id
}

/** Milliseconds between looks: at first, and at most. */
const FIRST_MS = 300
const MOST_MS = 3_000
const FACTOR = 1.3

interface FollowTerms {
  readonly headers: Headers
  /** Cancels it when it is aborted: what is stored by then stays. */
  readonly signal: AbortSignal
  readonly onProgress: (told: ToldImport) => void
}

/** Follows an import to its end. */
export async function followImport(id: string, { headers, signal, onProgress }: FollowTerms): Promise<ToldImport> {
  const at = `/bulk-changes/${encodeURIComponent(id)}`
  let isCancelled = false
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(waitMs * FACTOR, MOST_MS)) {
    if (signal.aborted && !isCancelled) {
      isCancelled = true
      await ask('POST', `${at}/cancel`, { headers })
    }
    const { data } = await ask<ToldImport>('GET', at, { headers })
    onProgress(data)
    if (!isUnderWay(data)) return data
    await pause(waitMs, isCancelled ? null : signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, milliseconds)
    signal?.addEventListener('abort', wake)
  })
}

/** Why an import has ended before its time; null where it was carried out, or somebody has cancelled it. */
export function faultOf({ state, error }: ToldImport): Refusal | null {
  return state === 'failed' ? new Refusal(error?.message ?? 'The server said no more.', 422, error?.code) : null
}
