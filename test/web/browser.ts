import { Browser, type BrowserPage, type Element, type HTMLElement, type HTMLInputElement } from 'happy-dom'
import { expect } from 'vitest'

/** A page of a running server in a browser without a window, and what a person does with it. */
export interface Visit {
  /** What can be read in the content, spaces made one. */
  text(): string
  /** All elements that a selector finds, as their texts. */
  texts(selector: string): string[]
  value(name: string): string
  fill(name: string, value: string): void
  tick(name: string): void
  /** Clicks the button or link with this text, or this label, and waits until nothing is under way. */
  click(label: string): Promise<void>
  goTo(hash: string): Promise<void>
  /** What the tab keeps between pages. */
  kept(): string
  /** The cookies that scripts can read. */
  cookies(): string
  element(selector: string): Element
  close(): Promise<void>
}

/** Opens a page with its scripts; every request goes to the server. A script that fails, fails the closing. */
export async function visit(url: string): Promise<Visit> {
  const browser = new Browser({
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      disableCSSFileLoading: true,
      handleDisabledFileLoadingAsSuccess: true,
      // Tests make their certificates themselves.
      fetch: { disableStrictSSL: true },
    },
  })
  const page = browser.newPage()
  await page.goto(url)
  await settle(page)
  const { window, document } = page.mainFrame
  const control = (name: string) => element(`[name="${name}"]`) as HTMLInputElement

  function element(selector: string): Element {
    const found = document.querySelector(selector)
    if (found === null) throw new Error(`nothing is ${selector} in: ${document.body.textContent}`)
    return found
  }

  return {
    element,
    text: () => spaced(document.getElementById('main')?.textContent),
    texts: (selector) => [...document.querySelectorAll(selector)].map((one) => spaced(one.textContent)),
    value: (name) => control(name).value,
    fill(name, value) {
      control(name).value = value
    },
    tick(name) {
      control(name).checked = true
    },
    async click(label) {
      const isIt = (one: { textContent: string; getAttribute(name: string): string | null }) =>
        spaced(one.textContent) === label || one.getAttribute('aria-label') === label
      const target = [...document.querySelectorAll('button, a')].find(isIt)
      if (target === undefined) throw new Error(`there is no “${label}” to click in: ${document.body.textContent}`)
      ;(target as HTMLElement).click()
      await settle(page)
    },
    async goTo(hash) {
      window.location.hash = hash
      await settle(page)
    },
    kept: () => JSON.stringify(window.sessionStorage),
    cookies: () => document.cookie,
    async close() {
      const lines = page.virtualConsolePrinter.readAsString().split('\n')
      await browser.close()
      // Browsers note every refused request; what the page makes of it is for the tests to say.
      expect(lines.filter((line) => line !== '' && !/^[A-Z]+ http\S+ 4\d\d /.test(line))).toEqual([])
    },
  }
}

async function settle(page: BrowserPage): Promise<void> {
  // An event may begin a request that begins another: done is when twice in a row nothing was left.
  for (let round = 0; round < 2; round++) {
    await page.waitUntilComplete()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function spaced(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}
