/** Finds operations by their words, and guides by those of their titles, as somebody types. */
export function beginSearch(docs: HTMLElement): void {
  const field = fieldOf(docs)
  if (field === null) return
  const operations = Array.from(docs.querySelectorAll<HTMLElement>('.operation'), (part) => {
    return { part, words: wordsOf(part) }
  })
  const find = () => {
    const asked = field.value.split(/\s+/).filter((word) => word !== '')
    for (const { part, words } of operations) part.hidden = !hasAll(words, asked)
    showCount(docs, operations.filter(({ part }) => !part.hidden).length)
    showGroups(docs, asked.length > 0)
    showGuides(docs, asked)
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

function showGuides(docs: HTMLElement, asked: readonly string[]): void {
  const guides = [...docs.querySelectorAll<HTMLElement>('.contents-of-docs a[title]')]
  const found =
    asked.length === 0 ? [] : guides.filter(({ title, textContent }) => hasAll(`${textContent} ${title}`, asked))
  const links = found.flatMap((guide, at) => [at === 0 ? 'To read: ' : ', ', guide.cloneNode(true)])
  const place = docs.querySelector('.to-read')
  place?.replaceChildren(...links)
  place?.toggleAttribute('hidden', found.length === 0)
}
