import type { Refusal } from '../../api/client.ts'
import type { Item } from './import-item.ts'

/** Where files stand, in the order in which it is told. */
export interface ItemCounts {
  readonly stored: number
  readonly there: number
  readonly storing: number
  readonly ready: number
  readonly left: number
  readonly reading: number
  readonly failed: number
}

/** How many files stand where. */
export function countItems(items: readonly Item[]): ItemCounts {
  const counts = { stored: 0, there: 0, storing: 0, ready: 0, left: 0, reading: 0, failed: 0 }
  for (const item of items) counts[standingOf(item)] += 1
  return counts
}

function standingOf({ state, isChosen }: Item): keyof ItemCounts {
  if (state.step === 'ready') return isChosen ? 'ready' : 'left'
  if (state.step !== 'done') return state.step
  return state.reports.some(({ outcome }) => outcome === 'stored') ? 'stored' : 'there'
}

/** How many files stand where, in a sentence: `20 files: 13 can be stored, 7 cannot.` */
export function summaryWords(counts: ItemCounts): string {
  const { stored, there, storing, ready, left, reading, failed } = counts
  const parts = [
    [stored, 'is stored', 'are stored'],
    [there, 'was there already', 'were there already'],
    [storing, 'is being stored', 'are being stored'],
    [ready, 'can be stored', 'can be stored'],
    [left, 'is not chosen', 'are not chosen'],
    [reading, 'is being read', 'are being read'],
    [failed, 'cannot', 'cannot'],
  ] as const
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // `cannot` leans on what can be.
  const told = parts.flatMap(([count, one, many]) => {
    if (count === 0) return []
    const words = count === 1 ? one : many
    return `${count.toLocaleString('en')} ${words === 'cannot' && ready + left === 0 ? 'cannot be stored' : words}`
  })
  return `${files(all)}: ${told.join(', ')}.`
}

/** `1 file`, `2,000 files`. */
export function files(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`
}

type FailedItem = Item & { readonly state: { readonly step: 'failed'; readonly error: Refusal; readonly at: string } }

/** Files that cannot be stored for one reason. */
export interface Failure {
  /** As it is said of the first of them. */
  readonly reason: string
  readonly items: readonly FailedItem[]
  /** Whether it may go well another time. */
  readonly mayPass: boolean
  /** Names of formats that can be tried; none where that does not help. */
  readonly formats: readonly string[]
}

/** Sorts files that failed by their reason, most files first: lines and names of theirs make no other reason. */
export function failuresOf(items: readonly Item[]): readonly Failure[] {
  const byReason = new Map<string, FailedItem[]>()
  for (const item of items) {
    if (!isFailed(item)) continue
    const { code, message } = item.state.error
    const kind = `${code} ${withoutPlace(message).replace(/"[^"]*"|[\d.]+/g, '#')}`
    byReason.set(kind, [...(byReason.get(kind) ?? []), item])
  }
  return [...byReason.values()]
    .sort((one, other) => other.length - one.length)
    .map((some) => ({
      reason: withoutPlace(some[0]?.state.error.message ?? ''),
      items: some,
      mayPass: some.every(({ state }) => mayPass(state.error)),
      formats: formatsToTry(some),
    }))
}

function isFailed(item: Item): item is FailedItem {
  return item.state.step === 'failed'
}

/** Where in the file it is stands beside the file. */
function withoutPlace(message: string): string {
  return message.replace(/^Line \d+: /, '')
}

/** The line of a file that a refusal is about; empty where it names none. */
export function placeWords(message: string): string {
  return /^Line \d+(?=: )/.exec(message)?.[0] ?? ''
}

/** Whether it is about the server, the way to it, or how much was asked at once: a file that is wrong stays so. */
function mayPass({ status }: Refusal): boolean {
  return status === 0 || status >= 500 || [401, 408, 429].includes(status)
}

/** What the reader says that it knows, where it does not know what a file is; a format that was tried in vain can be another one. */
function formatsToTry(items: readonly FailedItem[]): readonly string[] {
  for (const { state } of items) {
    const { formats } = (state.error.data['remedy'] ?? {}) as { readonly formats?: unknown }
    if (typeof formats === 'string') return formats.split(', ')
  }
  return []
}
