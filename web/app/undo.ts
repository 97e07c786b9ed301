import { signal } from '@preact/signals'
import { announce } from './announce.ts'

/** What was done last and can be put back. */
export interface Undoable {
  /** What was done: `12 materials removed`. */
  readonly text: string
  /** Puts it back; gives what is to be said then. */
  readonly undo: () => Promise<string>
}

/** What the bar offers; null where there is nothing. */
export const undoable = signal<Undoable | null>(null)

/** Grows with every write of this tab, so that what is shown is asked for anew. */
export const writes = signal(0)

/** Tells of a write that was made here. */
export function noteWrite(): void {
  writes.value += 1
}

/** Tells of a write that can be put back, for as long as nothing else is done. */
export function offerUndo(text: string, undo: () => Promise<string>): void {
  noteWrite()
  undoable.value = { text, undo }
  announce(`${text}. Undo is at the end of the page.`)
}
