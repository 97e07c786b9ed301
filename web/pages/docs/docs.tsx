import { hydrate, render } from 'preact'
import { written } from '../../app/written.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import './docs.css'
import { beginSearch, endSearch } from './search.ts'
import { Sending } from './sending.tsx'

const docs = written ?? document.createElement('div')
const contents = docs.querySelector<HTMLDetailsElement>('.contents-of-docs > details')

/** Whether there is room for the contents beside the page. */
const isWide = matchMedia('(min-width: 60rem)')

beginSearch(docs)
openContents()
isWide.addEventListener('change', openContents)
docs.addEventListener('toggle', ({ target }) => fill(target as HTMLElement), true)
// What was opened before this came.
for (const opened of docs.querySelectorAll<HTMLElement>('details[open]')) fill(opened)
docs.addEventListener('click', ({ target }) => takeExample(target as HTMLElement))
docs.addEventListener('submit', (event) => event.preventDefault())
for (const button of docs.querySelectorAll('.guide .copyable button')) bringToLife(button)

/** Goes to what the address names behind `#`, and opens it; of another kind, an operation is on the page of that kind. */
export function showPlace(): void {
  const name = namedPlace()
  if (name === '') return
  const target = document.getElementById(name)
  if (target === null) seekElsewhere(name)
  if (target instanceof HTMLDetailsElement) {
    endSearch(docs)
    target.open = true
    // The browser tells of it only later, and what is below would move.
    fill(target)
  }
  target?.scrollIntoView()
}

/** What the address names behind `#`. */
function namedPlace(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

function seekElsewhere(id: string): void {
  for (const { dataset } of docs.querySelectorAll<HTMLElement>('.operation')) {
    const alike = (dataset.alike ?? '').split(' ')
    const kind = alike[alike.indexOf(id) - 1]
    if (kind !== undefined) location.replace(`?kind=${kind}#${id}`)
  }
}

function openContents(): void {
  if (contents !== null) contents.open = isWide.matches
}

/** Makes elements of what stands behind a line, when it is opened for the first time. */
function fill(opened: HTMLElement): void {
  const template = opened.querySelector<HTMLTemplateElement>(':scope > template')
  if (template === null) return
  template.replaceWith(template.content)
  const form = opened.querySelector('form')
  const place = form?.querySelector('.sending')
  if (form && place) render(<Sending form={form} />, place)
}

/** Types the example of a parameter that is clicked. */
function takeExample(clicked: HTMLElement): void {
  const input = clicked.matches('.example') ? clicked.closest('.parameter')?.querySelector('input') : null
  if (!input) return
  input.value = clicked.textContent
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Makes a button copy the text that it stands beside. */
function bringToLife(button: Element): void {
  const text = button.closest('.copyable')?.querySelector('pre')?.textContent ?? ''
  const label = button.getAttribute('aria-label')?.replace(/^Copy /, '') ?? ''
  hydrate(<CopyButton label={label} text={text} />, button.parentElement as Element)
}
