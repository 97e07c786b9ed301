import { signal } from '@preact/signals'
import { looksLikeStructure } from '../parts/looks-like-structure.ts'
import { navigate } from './router.tsx'
import { me } from './session.ts'

/** Files and folders that were dropped or pasted anywhere on the page, until the import has taken them. */
export const handedOver = signal<readonly (File | FileSystemEntry)[]>([])

/** Takes files and folders wherever they are pasted or dropped, and shows them on the page of imports; nothing is stored by that. */
export function takeFilesAnywhere(): void {
  addEventListener('paste', (event) => {
    if (me.value === null || me.value === undefined || isTyping(event.target)) return
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  })
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    const handed = droppedOn(event.dataTransfer)
    if (handed.length === 0) return
    event.preventDefault()
    if (me.value) take(handed)
  })
}

/** What is a folder can be told while the event lasts alone. */
function droppedOn(dropped: DataTransfer | null): readonly (File | FileSystemEntry)[] {
  return [...(dropped?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [])
}

function take(handed: typeof handedOver.value): void {
  handedOver.value = [...handedOver.value, ...handed]
  navigate('/import')
}

function pastedFiles(pasted: DataTransfer | null): readonly File[] {
  const files = [...(pasted?.files ?? [])]
  if (files.length > 0) return files
  const text = pasted?.getData('text/plain') ?? ''
  return looksLikeStructure(text) ? [new File([text], 'pasted')] : []
}

/** Where text is written, a paste is text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable], code-editor') !== null
}
