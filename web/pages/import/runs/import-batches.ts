import { signal } from '@preact/signals'
import { addFiles, items } from '../import-items.ts'
import { gatherFiles, type Handed } from './gather-files.ts'
import { ImportBatch } from './import-batch.ts'

/** What was chosen, each time by itself; it stays while somebody looks at another page. */
export const batches = signal<readonly ImportBatch[]>([])

/** Takes files and folders: what the server finds to be calculations is shown as such, structures among them come into the list of structures. */
export async function addHanded(handed: readonly Handed[]): Promise<void> {
  warnBeforeLeaving()
  // What was pasted is a structure; of a calculation there is more.
  const pasted = handed.filter((one): one is File => one instanceof File && one.name === 'pasted')
  if (pasted.length > 0) addFiles(pasted)
  const others = handed.filter((one) => !(one instanceof File) || !pasted.includes(one))
  if (others.length === 0) return
  const { files, leftAside } = await gatherFiles(others)
  const batch = new ImportBatch(titleOf(others), files, leftAside, addFiles)
  batches.value = [...batches.value, batch]
  if (batch.step.value === 'asking') return
  await batch.look()
  // Of structures alone there is nothing to say here.
  const isEmpty = batch.rows.value.length === 0 && batch.leftAside.value.length === 0
  if (isEmpty && files.length > 0 && batch.step.value === 'ready') dropBatch(batch)
}

export function dropBatch(batch: ImportBatch): void {
  batch.cancel()
  batches.value = batches.value.filter((one) => one !== batch)
}

function titleOf(handed: readonly Handed[]): string {
  const roots = new Set(handed.map((one) => (one instanceof File && one.webkitRelativePath.split('/')[0]) || one.name))
  const [first = ''] = roots
  return roots.size === 1 ? first : `${first} and ${roots.size - 1} more`
}

let isWarning = false

/** Whoever leaves while something is sent is asked whether that is meant; what the server has goes on. */
function warnBeforeLeaving(): void {
  if (isWarning) return
  isWarning = true
  addEventListener('beforeunload', (event) => {
    const isNeeded = ({ step, importId }: ImportBatch) =>
      step.value === 'looking' || (step.value === 'storing' && importId.value === null)
    const isStoring = items.value.some(({ state }) => state.step === 'storing')
    if (isStoring || batches.value.some(isNeeded)) event.preventDefault()
  })
}
