import type { ChosenFile, LeftAside } from './portions.ts'

/** Something that was chosen or dropped: a file, or a folder of which the browser tells when it is asked. */
export type Handed = File | FileSystemEntry

/** Files below what was handed over, with their paths, and what of it is left aside. */
export interface Gathered {
  readonly files: readonly ChosenFile<File>[]
  readonly leftAside: readonly LeftAside[]
}

/** Files that systems put into folders by themselves. */
const OF_SYSTEMS = /^(?:\..*|__MACOSX|Thumbs\.db|desktop\.ini)$/i

/** `run-2` comes before `run-10`. */
const BY_NUMBERS = new Intl.Collator('en', { numeric: true })

/** Finds all files, in the order of their paths; what is hidden is left aside. */
export async function gatherFiles(handed: readonly Handed[]): Promise<Gathered> {
  const files: ChosenFile<File>[] = []
  const leftAside = new Map<string, LeftAside>()
  const leave = (path: string, why: LeftAside['why']) => leftAside.set(path, { path, why })
  async function add(one: Handed, path: string): Promise<void> {
    const hidden = hiddenPart(path)
    if (hidden !== null) {
      leave(hidden, 'hidden')
      return
    }
    try {
      if (one instanceof File) files.push({ path, file: one })
      else if (isFolder(one)) for (const inner of await entriesOf(one)) await add(inner, `${path}/${inner.name}`)
      else files.push({ path, file: await fileOf(one as FileSystemFileEntry) })
    } catch {
      leave(path, 'unreadable')
    }
  }
  const taken = new Set<string>()
  for (const one of handed) {
    const relative = one instanceof File ? one.webkitRelativePath : ''
    await add(one, relative === '' ? newName(one.name, taken) : relative)
  }
  return {
    files: files.toSorted((one, other) => BY_NUMBERS.compare(one.path, other.path)),
    leftAside: [...leftAside.values()],
  }
}

/** Folders of one name from several places are told apart. */
function newName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
  taken.add(free)
  return free
}

/** The path up to its first part that is hidden; null where none is. */
function hiddenPart(path: string): string | null {
  const parts = path.split('/')
  const at = parts.findIndex((part) => OF_SYSTEMS.test(part))
  return at < 0 ? null : parts.slice(0, at + 1).join('/')
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Browsers give the entries of a folder some at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
