import { effect, signal } from '@preact/signals'
import { me } from './session-state.ts'

/** A page that somebody was on. */
export interface Recent {
  readonly path: string
  readonly title: string
}

const KEY = 'quarry.recent'
const MOST = 8

/** The records that were looked at in this tab, the latest first. */
export const recent = signal<readonly Recent[]>(kept())

/** Nobody sees what somebody else has looked at. */
effect(() => {
  if (me.value === null) keep([])
})

/** Notes that a page is looked at. */
export function noteRecent(path: string, title: string): void {
  keep([{ path, title }, ...recent.peek().filter((one) => one.path !== path)].slice(0, MOST))
}

function keep(list: readonly Recent[]): void {
  recent.value = list
  if (list.length === 0) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(list))
}

function kept(): readonly Recent[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
}
