import type { MaterialFields } from '../../../src/page/scene/material-structure.ts'
import type { Refusal, RefusalData } from '../../api/client.ts'

/** What the server says of a structure without storing it. */
export interface Analysis extends Partial<MaterialFields> {
  readonly format: string
  readonly name?: string
  readonly formula?: string
  readonly sites?: number
  readonly spaceGroup?: { readonly number: number; readonly symbol: string }
  readonly symmetry?: { readonly spaceGroup?: { readonly number: number; readonly symbol: string } } | null
  readonly density?: number
  readonly volume?: number
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
}

/** What became of one structure of a file. */
export interface Report {
  readonly file: string
  /** Which structure of the file, where all are stored; and of their set, how many there are. */
  readonly frame?: number
  readonly frames?: number
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly _id?: string
  readonly error?: { readonly message: string; readonly code?: number; readonly data?: RefusalData }
}

export type State =
  | { readonly step: 'reading' }
  /** `analysis` is null of what the server unpacks first. */
  | { readonly step: 'ready' | 'storing'; readonly analysis: Analysis | null }
  | { readonly step: 'done'; readonly analysis: Analysis | null; readonly reports: readonly Report[] }
  | { readonly step: 'failed'; readonly error: Refusal; readonly at: 'reading' | 'storing' }

/** What somebody says of a file beside what is in it; null where nothing is said. */
export interface Said {
  readonly name: string | null
  readonly format: string | null
  readonly frame: number | null
}

/** A file on its way into an account. */
export interface Item {
  readonly key: number
  readonly file: File
  /** Whether it is to be stored. */
  readonly isChosen: boolean
  readonly said: Said
  readonly state: State
}

export const NOTHING_SAID: Said = { name: null, format: null, frame: null }

const ARCHIVE = /\.(?:zip|tar|tgz|gz)$/i

/** Whether the server unpacks it. */
export function isPacked({ name }: Pick<File, 'name'>): boolean {
  return ARCHIVE.test(name)
}

export function analysisOf({ state }: Item): Analysis | null {
  return 'analysis' in state ? state.analysis : null
}

/** Whether all is known that a picture of it needs. */
export function isDrawable(analysis: Analysis | null): analysis is Analysis & MaterialFields {
  return analysis?.basis !== undefined && analysis.lattice !== undefined
}

/** Whether it is stored as soon as somebody says so. */
export function isToBeStored({ state, isChosen }: Item): boolean {
  return state.step === 'ready' && isChosen
}

/** Whether a file has several structures, or may have: of an archive nobody knows yet. */
export function mayHaveSeveral(item: Item): boolean {
  if (item.state.step !== 'ready') return false
  return item.said.frame === null && (analysisOf(item) === null || hasSeveral(item))
}

/** Whether it is known that a file has several structures. */
export function hasSeveral(item: Item): boolean {
  return (
    item.said.frame !== null || analysisOf(item)?.warnings?.some(({ code }) => code === 'several-structures') === true
  )
}

/** Ids of the materials that a file has become, or was before; those in a set of the file's own are there already. */
export function materialIds({ state }: Item): readonly string[] {
  if (state.step !== 'done') return []
  return state.reports.flatMap(({ _id, frame, frames }) =>
    _id === undefined || frame !== undefined || frames !== undefined ? [] : [_id],
  )
}
