import type { Draft, DraftSource } from './draft.ts'

/** What is made in one task: some tens of milliseconds, after which others have their turn. */
const TASK_RECORDS = 25
const TASK_BYTES = 256 * 1024

/** About what a record takes, in milliseconds: by itself, and for each KiB. */
const RECORD_MS = 1.5
const KIB_MS = 0.2

/** Shares drafts out to tasks. */
export function tasksOf(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const tasks: Draft[][] = []
  let bytes = TASK_BYTES
  for (const draft of drafts) {
    const last = tasks.at(-1)
    const length = lengthOf(draft.source)
    bytes += length
    if (last !== undefined && last.length < TASK_RECORDS && bytes <= TASK_BYTES) {
      last.push(draft)
    } else {
      tasks.push([draft])
      bytes = length
    }
  }
  return tasks
}

/** About how many milliseconds a record of so many bytes or characters takes. */
export function costOf(length: number): number {
  return RECORD_MS + (KIB_MS * length) / 1024
}

/** A draft as it is handed to a thread. The one that was given keeps its bytes: it may be needed again. */
export function packDraft(draft: Draft) {
  const { source } = draft
  const cost = costOf(lengthOf(source))
  const bytes = 'json' in source ? source.json : 'file' in source ? source.file : ''
  if (typeof bytes === 'string') return { draft, parts: [], cost }
  // A part of a larger buffer would take all of it along.
  const copy = new Uint8Array(bytes)
  const packed: DraftSource = 'json' in source ? { json: copy } : { ...source, file: copy }
  return { draft: { ...draft, source: packed }, parts: [copy.buffer], cost }
}

function lengthOf(source: DraftSource): number {
  if ('json' in source) return source.json.length
  if ('file' in source) return source.file.length
  return 'stored' in source ? source.stored.length : 0
}
