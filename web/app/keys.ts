import { signal } from '@preact/signals'
import { announce } from './announce.ts'
import { pageCommands } from './page-commands.ts'

/** Which window of the shell is open. */
export const windowShown = signal<'commands' | 'shortcuts' | null>(null)

/** Keys that mean the same on every page; `Mod` is Ctrl, and ⌘ where there is one. */
export const SHELL_KEYS: readonly (readonly [key: string, says: string])[] = [
  ['Mod K', 'Commands: go anywhere, do anything'],
  ['/', 'Go to the search'],
  ['?', 'These keys'],
  ['Escape', 'Close what is open'],
]

/** Listens for keys from now on. */
export function beginKeys(): void {
  addEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (defaultPrevented) return
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    windowShown.value = windowShown.value === 'commands' ? null : 'commands'
  } else if (!ctrlKey && !metaKey && !altKey && !isWriting(event) && document.querySelector('dialog[open]') === null) {
    const run = actionOf(key)
    if (run === undefined) return
    event.preventDefault()
    run()
  }
}

function actionOf(key: string): (() => void) | undefined {
  if (key === '/') return focusSearch
  if (key === '?') {
    return () => {
      windowShown.value = 'shortcuts'
    }
  }
  return pageCommands.peek().find((command) => command.key === key)?.run
}

/** Where keys go into a text, or choose in a list. */
const WRITTEN_IN = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=tree]'

function isWriting(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && target.closest(WRITTEN_IN) !== null
}

/** Goes to where the page is searched; what is typed next takes the place of what stands there. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'main [data-search], main [type=search], main form textarea, main form input',
  )
  if (field === null) announce('There is no search on this page')
  else {
    field.focus()
    field.select()
  }
}
