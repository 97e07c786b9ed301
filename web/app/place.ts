/** Where somebody was on a page: kept with the entry of the history, and found again when the page is back. */

interface Place {
  /** CSS pixels from the top. */
  readonly y: number
  /** What had the focus: an id, or the address of a link. */
  readonly id: string | null
  readonly href: string | null
}

/** Notes the place in the entry that is being left. */
export function leave(): void {
  const active = document.activeElement
  const place: Place = { y: scrollY, id: active?.id || null, href: active?.getAttribute('href') ?? null }
  history.replaceState({ ...history.state, place }, '')
}

/** Takes up the place of the entry that is shown again, as soon as the page is long enough. */
export function comeBack(): void {
  const place: Place | undefined = history.state?.place
  if (place === undefined) return
  const end = new AbortController()
  const watch = new ResizeObserver(() => tryIt())
  // Who scrolls or types meanwhile is elsewhere already.
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(event, () => end.abort(), { once: true, signal: end.signal })
  end.signal.addEventListener('abort', () => watch.disconnect())

  function tryIt(): void {
    const isThere = focusAgain(place as Place)
    if (document.documentElement.scrollHeight < (place as Place).y + innerHeight && !isThere) return
    scrollTo(0, (place as Place).y)
    if (isThere) end.abort()
  }

  watch.observe(document.body)
}

/** Tells whether what had the focus has it again; where nothing had it, nothing is missing. */
function focusAgain({ id, href }: Place): boolean {
  if (id === null && href === null) return true
  const found =
    id === null ? document.querySelector(`main a[href="${CSS.escape(href ?? '')}"]`) : document.getElementById(id)
  if (!(found instanceof HTMLElement)) return false
  found.focus({ preventScroll: true })
  return document.activeElement === found
}
