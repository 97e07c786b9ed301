import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type PageAddress, readPageAddress } from '../../src/page/addresses.ts'
import { ROOT } from '../api/client.ts'
import { comeBack, leave } from './place.ts'
import { isWrittenHere } from './written.ts'

/** The path of the server, which a proxy may have put there; without a slash at the end. */
const BASE = new URL(ROOT).pathname.replace(/\/$/, '')

/** What is shown; null where there is no such page. */
export const address = signal<PageAddress | null>(null)

/** The address of a path of the page (`/materials?query=…`) for a link. */
export function hrefOf(path: string): string {
  return `${BASE}${path}`
}

/** Goes to a path of the page; with `replace` the place that is left cannot be gone back to. */
export function navigate(path: string, { replace = false } = {}): void {
  // The reference comes as documents, of which one is here at the most.
  if (/^\/docs\b/.test(path) && !isWrittenHere(hrefOf(path))) {
    location.assign(hrefOf(path))
    return
  }
  const before = location.href
  if (replace) history.replaceState(history.state, '', hrefOf(path))
  else {
    leave()
    history.pushState({ from: pathHere() }, '', hrefOf(path))
  }
  show()
  if (pathOf(before) !== pathOf(location.href)) scrollTo(0, 0)
}

/**
 * For a link to the list that a page belongs to: where somebody came from that list, goes back to it as it was left, with its query, its page and
 * its place; else the link is followed.
 */
export function backTo(path: string): (event: MouseEvent) => void {
  return (event) => {
    const from: unknown = history.state?.from
    if (isForElsewhere(event) || from !== path) return
    event.preventDefault()
    history.back()
  }
}

/** Shows what the address says, now and whenever it changes. */
export function beginRouting(): void {
  history.scrollRestoration = 'manual'
  rewriteOld()
  addEventListener('popstate', () => {
    show()
    comeBack()
  })
  addEventListener('hashchange', () => {
    if (rewriteOld()) show()
  })
  addEventListener('pagehide', leave)
  show()
  comeBack()
}

function show(): void {
  address.value = readPageAddress(pathHere(), new URLSearchParams(location.search))
}

/** Below the server's own path. */
function pathHere(): string {
  return location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : location.pathname
}

/** Addresses that were given out when everything was behind `#`; tells whether this is one. */
function rewriteOld(): boolean {
  if (!location.hash.startsWith('#/')) return false
  history.replaceState(null, '', hrefOf(location.hash.slice(1)))
  return true
}

function pathOf(href: string): string {
  return new URL(href).pathname
}

interface LinkProps {
  /** A path of the page. */
  readonly to: string
  readonly class?: string | undefined
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly style?: Readonly<Record<string, string>>
  readonly 'aria-current'?: 'page' | undefined
  readonly 'aria-label'?: string | undefined
  /** Before the link is followed; who prevents the default of the event, stays. */
  readonly onFollow?: (event: MouseEvent) => void
  readonly children?: ComponentChildren
}

/** A link to a path of the page: followed here, or by the browser where it is to open elsewhere. */
export function Link({ to, onFollow, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent): void {
    onFollow?.(event)
    if (event.defaultPrevented || event.button !== 0 || isForElsewhere(event)) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  )
}

function isForElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}
