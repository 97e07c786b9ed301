interface SavedFile {
  readonly name: string
  readonly type: string
  readonly text: string | Blob
}

/** Gives a file to the browser to be saved. */
export function saveText({ name, type, text }: SavedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  // The browser has begun with it when the event is over.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
