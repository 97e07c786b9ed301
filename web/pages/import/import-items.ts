import { signal } from '@preact/signals'
import { ask, Refusal } from '../../api/client.ts'
import { noteWrite } from '../../app/undo.ts'
import {
  type Analysis,
  analysisOf,
  type Item,
  isPacked,
  isToBeStored,
  materialIds,
  NOTHING_SAID,
  type Report,
  type Said,
  type State,
} from './import-item.ts'
import { putIntoSet, type SetChoice } from './into-set.ts'
import { type StoringPortion, storingPortions } from './storing-portions.ts'

/** Files that are shown; they stay while somebody looks at another page. */
export const items = signal<readonly Item[]>([])

/** What was stored and is not in its set, and why. */
export const notInSet = signal<{ readonly error: unknown; readonly again: () => Promise<void> } | null>(null)

/** What is to happen where the account has the structure already. */
export type OnDuplicate = 'return' | 'create' | 'fail'

/** How files are stored, and where. */
export interface StoringTerms {
  readonly accountId: string
  readonly onDuplicate: OnDuplicate
  readonly tags: readonly string[]
  readonly isPublic: boolean
  readonly set: SetChoice
  /** Whether every structure of a file of several is stored, as a set; else the first. */
  readonly allFrames: boolean
}

/** Requests that are under way at a time. */
const AT_ONCE = 3
/** What is larger is not looked at beforehand. */
const LARGEST_SHOWN = 2 * 1024 * 1024
/** Milliseconds in which what comes of many files is gathered before it is shown. */
const SHOWN_EVERY = 60

const known = new Map<number, Item>()
const waiting: (() => Promise<void>)[] = []
let last = 0
let running = 0
let isGathering = false

/** Shows files, without storing anything. */
export function addFiles(files: readonly File[]): void {
  for (const file of files) {
    const key = ++last
    known.set(key, { key, file, isChosen: true, said: NOTHING_SAID, state: { step: 'reading' } })
    later(() => look(key))
  }
  show()
}

export function dropItems(keys: readonly number[]): void {
  for (const key of keys) known.delete(key)
  show()
}

/** Says whether files are to be stored. */
export function choose(keys: readonly number[], isChosen: boolean): void {
  for (const key of keys) change(key, (item) => ({ ...item, isChosen }))
  show()
}

export function rename(key: number, name: string): void {
  change(key, (item) => ({ ...item, said: { ...item.said, name: name === analysisOf(item)?.name ? null : name } }))
  show()
}

/** Reads files anew, as what somebody says that they are. */
export function readAs(keys: readonly number[], said: Partial<Pick<Said, 'format' | 'frame'>>): void {
  for (const key of keys) {
    change(key, (item) => ({ ...item, said: { ...item.said, ...said }, state: { step: 'reading' } }))
    later(() => look(key))
  }
  show()
}

/** Does again what has failed: what was to be stored can be stored once more. */
export function tryAgain(keys: readonly number[]): void {
  readAs(keys, {})
}

/** Stores what is ready and chosen. */
export async function storeChosen(terms: StoringTerms): Promise<void> {
  const chosen = [...known.values()].filter(isToBeStored)
  for (const { key } of chosen) change(key, (item) => withState(item, { step: 'storing', analysis: analysisOf(item) }))
  show()
  await Promise.all(storingPortions(chosen).map((portion) => whenDone(() => send(portion, terms))))
  const ids = chosen.flatMap(({ key }) => materialIds(known.get(key) ?? ({ state: { step: 'reading' } } as Item)))
  await intoSet([...new Set(ids)], terms)
}

async function intoSet(ids: readonly string[], terms: StoringTerms): Promise<void> {
  try {
    await putIntoSet(ids, terms)
    notInSet.value = null
  } catch (error) {
    notInSet.value = { error, again: () => intoSet(ids, terms) }
  }
  noteWrite()
}

async function look(key: number): Promise<void> {
  const item = known.get(key)
  if (item === undefined) return
  const { file, said } = item
  const { format, frame } = said
  if (isPacked(file) || file.size > LARGEST_SHOWN) return put(key, { step: 'ready', analysis: null })
  try {
    const body = {
      content: await file.text(),
      basis: true,
      ...(file.name === 'pasted' ? {} : { name: file.name }),
      ...(format === null ? {} : { format }),
      ...(frame === null ? {} : { frame }),
    }
    const { data } = await ask<Analysis>('POST', '/structures/analyze', { body })
    put(key, { step: 'ready', analysis: data })
  } catch (error) {
    put(key, failed(error, 'reading'))
  }
}

async function send({ items: some, said }: StoringPortion, terms: StoringTerms): Promise<void> {
  const { onDuplicate, accountId } = terms
  try {
    const { data } = await ask<{ files: readonly Report[] }>('POST', '/materials/import', {
      search: { onDuplicate },
      headers: { 'x-account-id': accountId },
      body: formOf(some, said, terms),
    })
    for (const item of some)
      put(item.key, outcomeOf(item, some.length === 1 ? data.files : reportsOn(item, data.files)))
  } catch (error) {
    for (const { key } of some) put(key, failed(error, 'storing'))
  }
}

function formOf(some: readonly Item[], said: Said, { tags, isPublic, allFrames }: StoringTerms): FormData {
  const form = new FormData()
  const { name, format } = said
  const frame = said.frame ?? (allFrames ? 'all' : null)
  const fields = { name, format, frame, tags: tags.length === 0 ? null : JSON.stringify(tags), isPublic }
  for (const [field, value] of Object.entries(fields)) if (value !== null) form.append(field, String(value))
  for (const { file } of some) form.append('file', file, file.name)
  return form
}

function reportsOn({ file }: Item, reports: readonly Report[]): readonly Report[] {
  return reports.filter((report) => report.file === file.name)
}

function outcomeOf(item: Item, reports: readonly Report[]): State {
  const [only, ...others] = reports
  if (only === undefined) return failed(new Refusal('The server said nothing of it.', 0), 'storing')
  if (only.outcome === 'refused' && others.length === 0)
    return failed(new Refusal(only.error?.message ?? '', 422, only.error?.code, only.error?.data), 'storing')
  return { step: 'done', analysis: analysisOf(item), reports }
}

function failed(error: unknown, at: 'reading' | 'storing'): State {
  return { step: 'failed', error: error instanceof Refusal ? error : new Refusal(String(error), 0), at }
}

function withState(item: Item, state: State): Item {
  return { ...item, state }
}

function change(key: number, next: (item: Item) => Item): void {
  const item = known.get(key)
  if (item !== undefined) known.set(key, next(item))
}

/** Notes what became of a file; of many it is shown together. */
function put(key: number, state: State): void {
  change(key, (item) => withState(item, state))
  if (isGathering) return
  isGathering = true
  setTimeout(show, SHOWN_EVERY)
}

function show(): void {
  isGathering = false
  items.value = [...known.values()]
}

function whenDone(work: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => later(() => work().finally(resolve)))
}

function later(work: () => Promise<void>): void {
  waiting.push(work)
  while (running < AT_ONCE && waiting.length > 0) {
    const next = waiting.shift() as () => Promise<void>
    running += 1
    void next().finally(() => {
      running -= 1
      const following = waiting.shift()
      if (following !== undefined) later(following)
    })
  }
}
