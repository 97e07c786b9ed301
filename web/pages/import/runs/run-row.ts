/** What the server says of a calculation. */
export interface SaidRun {
  readonly file: string
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly code?: { readonly name: string; readonly version: string | null }
  readonly group?: string
  readonly formulas?: readonly string[]
  readonly jobId?: string
  readonly materials?: readonly { readonly _id: string; readonly name: string; readonly isNew: boolean }[]
  readonly properties?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  readonly files?: readonly string[]
  readonly leftOut?: readonly string[]
  readonly warnings?: readonly string[]
  readonly error?: { readonly code: number; readonly message: string }
}

/** Where a calculation stands: to be stored, there since before, the same as another one of those chosen, stored now, refused. */
export type RunState = 'new' | 'there' | 'same' | 'stored' | 'refused'

/** A calculation in the list. */
export interface RunRow extends SaidRun {
  /** Path of its output, and its place among those of that. */
  readonly key: string
  /** Which request it belongs to. */
  readonly portion: number
  /** Path of its output, as people know it. */
  readonly path: string
  readonly state: RunState
  /** Path of the one that it is the same as. */
  readonly sameAs?: string
}

/** What a request is about, and how its names are shown. */
export interface Asked {
  readonly portion: number
  readonly shown: (name: string) => string
}

/** Puts what was found of calculations into the list: in place of what was said of them before, or at its end. */
export function withSaid(rows: readonly RunRow[], said: readonly SaidRun[], asked: Asked): readonly RunRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const byJob = new Map<string, RunRow>()
  for (const row of rows) if (row.jobId !== undefined && !byJob.has(row.jobId)) byJob.set(row.jobId, row)
  const places = new Map<string, number>()
  for (const one of said) {
    const place = places.get(one.file) ?? 0
    places.set(one.file, place + 1)
    const path = asked.shown(one.file)
    const key = `${path}#${place}`
    const before = byKey.get(key)
    const twin = one.jobId === undefined ? undefined : byJob.get(one.jobId)
    const isSame = twin !== undefined && twin.key !== key
    const state = isSame ? 'same' : stateOf(one)
    const row: RunRow = {
      ...before,
      ...one,
      key,
      path,
      portion: asked.portion,
      state,
      ...(isSame ? { sameAs: twin.path } : {}),
    }
    byKey.set(key, row)
    if (one.jobId !== undefined && !byJob.has(one.jobId)) byJob.set(one.jobId, row)
  }
  return [...byKey.values()]
}

function stateOf({ outcome }: SaidRun): RunState {
  if (outcome === 'refused') return 'refused'
  return outcome === 'stored' ? 'new' : 'there'
}

/** What an import has made of calculations, by their jobs. */
export interface ImportedRuns {
  readonly stored: ReadonlySet<string>
  readonly refused: ReadonlyMap<string, { readonly code: number; readonly message: string }>
  /** Those that were handed over, where all of them have had their turn: of many that are refused the server does not tell each reason. */
  readonly ended: ReadonlySet<string>
}

const UNTOLD = {
  code: 0,
  message: 'It was refused, as others were: the server tells the reasons of the first ones alone.',
}

/** Says in the list what has become of calculations that were new. */
export function withImported(rows: readonly RunRow[], { stored, refused, ended }: ImportedRuns): readonly RunRow[] {
  return rows.map((row) => {
    if (row.state !== 'new' || row.jobId === undefined) return row
    const isUntold = ended.has(row.jobId) && !stored.has(row.jobId)
    const error = refused.get(row.jobId) ?? (isUntold ? UNTOLD : undefined)
    if (error !== undefined) return { ...row, state: 'refused', error }
    if (!stored.has(row.jobId)) return row
    // Those of the preview were never stored under their names.
    const { materials: _, ...known } = row
    return { ...known, state: 'stored' }
  })
}

/** How many calculations stand where. */
export function countStates(rows: readonly RunRow[]): Readonly<Record<RunState, number>> {
  const counts = { new: 0, there: 0, same: 0, stored: 0, refused: 0 }
  for (const { state } of rows) counts[state] += 1
  return counts
}
