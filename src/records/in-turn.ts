import type { RecordStore } from '../store/port/record-store.ts'

const turns = new WeakMap<RecordStore, Map<string, Promise<unknown>>>()

/**
 * Runs work on one subject after work on the same subject that came before. Versions keep writes right without it; it only saves the
 * writers of one process from losing against each other again and again.
 */
export async function inTurn<T>(store: RecordStore, subject: string, work: () => Promise<T>): Promise<T> {
  const waiting = turns.get(store) ?? new Map<string, Promise<unknown>>()
  turns.set(store, waiting)
  const before = waiting.get(subject) ?? Promise.resolve()
  const turn = before.then(work, work)
  waiting.set(subject, turn)
  try {
    return await turn
  } finally {
    if (waiting.get(subject) === turn) waiting.delete(subject)
  }
}
