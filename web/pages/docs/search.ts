import { type GuideSection, sectionsWith } from './guide-sections.ts'

/** Finds operations and sections of guides by their words, as somebody types. */
export function beginSearch(docs: HTMLElement): void {
  const field = fieldOf(docs)
  if (field === null) return
  const operations = Array.from(docs.querySelectorAll<HTMLElement>('.operation'), (part) => {
    return { part, words: wordsOf(part) }
  })
  const find = () => {
    const asked = wordsIn(field)
    for (const { part, words } of operations) part.hidden = !hasAll(words, asked)
    showCount(docs, operations.filter(({ part }) => !part.hidden).length)
    showGroups(docs, asked.length > 0)
    void showGuides(docs, asked)
  }
  field.addEventListener('input', find)
  field.value = new URLSearchParams(location.search).get('search') ?? field.value
  if (field.value !== '') find()
}

/** Shows all operations again. */
export function endSearch(docs: HTMLElement): void {
  const field = fieldOf(docs)
  if (field === null || field.value === '') return
  field.value = ''
  field.dispatchEvent(new Event('input'))
}

function fieldOf(docs: HTMLElement): HTMLInputElement | null {
  return docs.querySelector('.finding input')
}

function wordsIn(field: HTMLInputElement | null): readonly string[] {
  return (field?.value ?? '').split(/\s+/).filter((word) => word !== '')
}

/** What an operation is found by, also before it is opened for the first time. */
function wordsOf(operation: HTMLElement): string {
  const behind = operation.querySelector('template')?.content.querySelectorAll('.words') ?? []
  const heading = operation.closest('.group')?.querySelector('h2')
  const parts = [operation.querySelector('summary'), heading, ...behind].map((part) => part?.textContent)
  return [operation.id, operation.dataset.alike, ...parts].join('\n')
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.toLowerCase().includes(word.toLowerCase()))
}

function showCount(docs: HTMLElement, count: number): void {
  docs.querySelector('.finding [role=status]')?.replaceChildren(`${count} ${count === 1 ? 'operation' : 'operations'}`)
  docs.querySelector('.empty')?.toggleAttribute('hidden', count > 0)
}

/** While something is sought, only headings with something below them are shown, here and in the contents. */
function showGroups(docs: HTMLElement, isSeeking: boolean): void {
  for (const group of docs.querySelectorAll('.group')) {
    const isHidden = isSeeking && group.querySelector('.operation:not([hidden])') === null
    const link = docs.querySelector(`.contents-of-docs a[href="#${group.querySelector('h2')?.id}"]`)
    for (const part of [group, link?.parentElement]) part?.toggleAttribute('hidden', isHidden)
  }
}

let sections: Promise<readonly GuideSection[]> | null = null

/** The list comes when the first word is sought. */
function guideSections(): Promise<readonly GuideSection[]> {
  sections ??= fetch('./docs/sections.json').then((answer) => (answer.ok ? answer.json() : []))
  return sections
}

async function showGuides(docs: HTMLElement, asked: readonly string[]): Promise<void> {
  const found = asked.length === 0 ? [] : sectionsWith(await guideSections().catch(() => []), asked)
  // Somebody has typed on meanwhile.
  if (asked.join(' ') !== wordsIn(fieldOf(docs)).join(' ')) return
  const links = found.flatMap(({ path, guide, heading }, at) => {
    const link = document.createElement('a')
    link.href = path
    link.textContent = heading === '' ? guide : `${guide}: ${heading}`
    return [at === 0 ? 'To read: ' : ', ', link]
  })
  const place = docs.querySelector('.to-read')
  place?.replaceChildren(...links)
  place?.toggleAttribute('hidden', found.length === 0)
}
