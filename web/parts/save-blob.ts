/** For how long a browser may take to begin with what it saves. */
const KEPT_MS = 10_000

/** Saves bytes as a file of the person who looks at the page. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
