import { type Entry, openPromise } from 'yauzl'

/** A zip archive on disk, of which entries are read by their names. */
export interface ZipOnDisk {
  has(name: string): boolean
  read(name: string): AsyncIterable<Uint8Array>
  close(): void
}

/** Opens an archive; null where the file is none. Whoever opens it closes it. */
export async function openZip(path: string): Promise<ZipOnDisk | null> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => null)
  if (zip === null) return null
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch {
    zip.close()
    return null
  }
  return {
    has: (name) => entries.has(name),
    async *read(name) {
      const entry = entries.get(name)
      if (entry === undefined) throw new Error(`there is no entry ${name}`)
      yield* await zip.openReadStreamPromise(entry)
    },
    close: () => zip.close(),
  }
}
