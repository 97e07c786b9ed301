import { signal } from '@preact/signals'
import { announce } from './announce.ts'

/** What was done last. */
export interface Undoable {
  /** What was done: `12 materials removed`. */
  readonly text: string
  /** Puts it back; gives what is to be said then. Null: it cannot be. */
  readonly undo: (() => Promise<string>) | null
}

/** What the bar offers; null where there is nothing. */
export const undoable = signal<Undoable | null>(null)

/** Grows with every write of this tab, so that what is shown is asked for anew. */
export const writes = signal(0)

/** Tells of a write that was made here. */
export function noteWrite(): void {
  writes.value += 1
}

/** Tells of a write, which can be put back where there is a way, for as long as nothing else is done. */
export function offerUndo(text: string, undo: Undoable['undo']): void {
  noteWrite()
  undoable.value = { text, undo }
  announce(undo === null ? `${text}.` : `${text}. Undo is at the end of the page.`)
}
