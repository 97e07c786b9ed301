import type { Page } from 'playwright-core'

/** What has the focus, by its name; never the whole page. */
export function focusOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const one = document.activeElement
    return one.tagName === 'BODY' ? 'BODY' : (one.getAttribute('aria-label') ?? one.textContent ?? '').trim() || one.id || one.tagName
  })()`)
}

/** More are on no page before what is looked for. */
const MOST_TABS = 80

/** Presses Tab until something has the focus. */
export async function tabUntil(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    const now = await focusOf(page)
    if (typeof name === 'string' ? now === name : name.test(now)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name} in ${MOST_TABS} steps`)
}
