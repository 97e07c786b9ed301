import { signal } from '@preact/signals'
import { ask, Refusal } from '../../api/client.ts'
import { noteWrite } from '../../app/undo.ts'

/** What the server says of a structure without storing it. */
export interface Analysis {
  readonly name?: string
  readonly formula?: string
  readonly lattice?: { readonly type?: string; readonly a: number; readonly b: number; readonly c: number }
  readonly symmetry?: { readonly spaceGroup?: { readonly number: number; readonly symbol: string } } | null
  readonly spaceGroup?: { readonly number: number; readonly symbol: string }
  readonly density?: number
  readonly volume?: number
  readonly basis?: { readonly elements?: readonly unknown[] }
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
}

/** What is to happen where the account has the structure already. */
export type OnDuplicate = 'return' | 'create' | 'fail'

export type State =
  | { readonly step: 'reading' }
  /** `analysis` is null of what the server unpacks first. */
  | { readonly step: 'ready'; readonly analysis: Analysis | null }
  | { readonly step: 'storing'; readonly analysis: Analysis | null }
  | { readonly step: 'done'; readonly analysis: Analysis | null; readonly reports: readonly Report[] }
  | { readonly step: 'failed'; readonly error: Refusal; readonly again: 'read' | 'store' }

export interface Report {
  readonly file: string
  /** Which structure of the file, where all are stored; and of their set, how many there are. */
  readonly frame?: number
  readonly frames?: number
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly _id?: string
  readonly error?: { readonly message: string }
}

/** A file on its way into the account. */
export interface Item {
  readonly key: number
  readonly file: File
  readonly state: State
}

/** Files that are shown; they stay while somebody looks at another page. */
export const items = signal<readonly Item[]>([])

/** Files that are sent at a time. */
const AT_ONCE = 3
/** What is larger is not looked at beforehand. */
const LARGEST_SHOWN = 2 * 1024 * 1024
const ARCHIVE = /\.(?:zip|tar|tgz|gz)$/i

let last = 0
let running = 0
const waiting: (() => Promise<void>)[] = []

/** Shows files, without storing anything. */
export function addFiles(files: readonly File[]): void {
  const added = files.map((file): Item => ({ key: ++last, file, state: { step: 'reading' } }))
  items.value = [...items.value, ...added]
  for (const { key } of added) later(() => look(key))
}

export function dropItem(key: number): void {
  items.value = items.value.filter((item) => item.key !== key)
}

/** Whether a file has several structures, or may have: of an archive nobody knows yet. */
export function mayHaveSeveral({ state }: Item): boolean {
  if (state.step !== 'ready') return false
  return state.analysis?.warnings?.some(({ code }) => code === 'several-structures') ?? state.analysis === null
}

/** Stores what is ready. */
export function storeAll(terms: StoringTerms): void {
  for (const { key, state } of items.value) if (state.step === 'ready') store(key, terms)
}

export function store(key: number, terms: StoringTerms): void {
  const analysis = analysisOf(key)
  put(key, { step: 'storing', analysis })
  later(() => send(key, analysis, terms))
}

/** Does again what has failed. */
export function retry(key: number, terms: StoringTerms): void {
  const state = items.value.find((item) => item.key === key)?.state
  if (state?.step !== 'failed') return
  if (state.again === 'store') store(key, terms)
  else {
    put(key, { step: 'reading' })
    later(() => look(key))
  }
}

async function look(key: number): Promise<void> {
  const file = fileOf(key)
  if (file === null) return
  if (ARCHIVE.test(file.name) || file.size > LARGEST_SHOWN) return put(key, { step: 'ready', analysis: null })
  try {
    const body = { content: await file.text(), ...(file.name === 'pasted' ? {} : { name: file.name }) }
    const { data } = await ask<Analysis>('POST', '/structures/analyze', { body })
    put(key, { step: 'ready', analysis: data })
  } catch (error) {
    fail(key, error, 'read')
  }
}

/** How files are stored. */
export interface StoringTerms {
  readonly onDuplicate: OnDuplicate
  readonly tags: readonly string[]
  /** Whether every structure of a file of several is stored, as a set; else the first. */
  readonly allFrames: boolean
}

async function send(
  key: number,
  analysis: Analysis | null,
  { onDuplicate, tags, allFrames }: StoringTerms,
): Promise<void> {
  const file = fileOf(key)
  if (file === null) return
  const form = new FormData()
  form.append('file', file, file.name)
  if (tags.length > 0) form.append('tags', JSON.stringify(tags))
  if (allFrames) form.append('frame', 'all')
  try {
    const { data } = await ask<{ files: readonly Report[] }>('POST', '/materials/import', {
      search: { onDuplicate },
      body: form,
    })
    const [only, ...others] = data.files
    if (only?.outcome === 'refused' && others.length === 0) throw new Refusal(only.error?.message ?? '', 422)
    put(key, { step: 'done', analysis, reports: data.files })
    noteWrite()
  } catch (error) {
    fail(key, error, 'store')
  }
}

function fail(key: number, error: unknown, again: 'read' | 'store'): void {
  const refusal = error instanceof Refusal ? error : new Refusal(String(error), 0)
  put(key, { step: 'failed', error: refusal, again })
}

function put(key: number, state: State): void {
  items.value = items.value.map((item) => (item.key === key ? { ...item, state } : item))
}

function fileOf(key: number): File | null {
  return items.value.find((item) => item.key === key)?.file ?? null
}

function analysisOf(key: number): Analysis | null {
  const state = items.value.find((item) => item.key === key)?.state
  return state !== undefined && 'analysis' in state ? state.analysis : null
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
