import { faultOfFileName } from '../../../../src/page/file-names.ts'
import { isSaveFolder } from '../../../../src/page/save-folder.ts'
import { tarOf } from './tar-of.ts'

/** A file that somebody has chosen, by its path below what was chosen. */
export interface ChosenFile<Content extends Blob = Blob> {
  readonly path: string
  readonly file: Content
}

/** A file that is not taken, and why. */
export interface LeftAside {
  readonly path: string
  readonly why:
    | 'hidden'
    | 'unreadable'
    | 'licensed'
    | 'large'
    | 'useless'
    | 'packed'
    | 'packed-structure'
    | { readonly says: string }
}

/** Something that is sent: a file, or the files of a folder together. */
export interface Sending {
  /** As the server knows it. */
  readonly name: string
  readonly content: Blob
  /** What it is for people. */
  readonly path: string
}

/** Folders that are sent, looked at and stored together, in one request each time. */
export interface Portion {
  readonly sendings: readonly Sending[]
  readonly folders: number
  readonly bytes: number
  /** Paths of folders, by the beginnings that their names have at the server. */
  readonly paths: ReadonlyMap<string, string>
  /** Whether it is one archive, which somebody has chosen: as a whole it is read or refused. */
  readonly isArchive: boolean
}

/** So many folders are read while a request is waited for. */
const MOST_FOLDERS = 12
const MOST_BYTES = 128 * 1024 * 1024
/** Bytes of a body that the server takes, with some room left, and those that a file takes beside its name. */
const MOST_OF_BODY = 56 * 1024
const TICKET_BYTES = 480
/** A folder of more files comes as one archive. */
const MOST_ALONE = 60
/** Files that stay out of it: the server holds those of an archive one by one. */
const LARGE_FOR_ARCHIVE = 64 * 1024 * 1024

/** Puts files together to what one request can name, folder by folder; those whose names cannot be kept are left aside. */
export function portionsOf(files: readonly ChosenFile[]): {
  readonly portions: readonly Portion[]
  readonly leftAside: readonly LeftAside[]
} {
  const leftAside: LeftAside[] = []
  const folders = byFolder(files).map(({ path, files: some, isArchive }, index) => {
    const kept = some.filter(({ path: whole }) => {
      const fault = faultOfFileName(nameWithin(path, whole))
      if (fault !== null) leftAside.push({ path: whole, why: { says: `It cannot be called so: ${fault}.` } })
      return fault === null
    })
    return { isArchive, ...folderOfFiles(path, kept, index) }
  })
  return { portions: portioned(folders.filter(({ sendings }) => sendings.length > 0)), leftAside }
}

/** A path as people know it, of a name as the server tells it. */
export function shownPath({ paths }: Pick<Portion, 'paths'>, name: string): string {
  for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
    const path = paths.get(name.slice(0, slash))
    if (path !== undefined) return path === '' ? name.slice(slash + 1) : `${path}${name.slice(slash)}`
  }
  return name
}

type FolderOfFiles = Omit<Portion, 'folders'>

/** Files that hold others, which the server unpacks. */
const ARCHIVE = /\.(?:zip|aiida|tar|tgz|tar\.gz)$/i

interface FilesOfFolder {
  readonly path: string
  readonly files: ChosenFile[]
  readonly isArchive: boolean
}

function byFolder(files: readonly ChosenFile[]): readonly FilesOfFolder[] {
  const archives: FilesOfFolder[] = []
  const folders = new Map<string, FilesOfFolder>()
  for (const file of files) {
    const parent = parentOf(file.path)
    const path = isSaveFolder(parent) ? parentOf(parent) : parent
    const there = folders.get(path)
    if (ARCHIVE.test(file.path)) archives.push({ path, files: [file], isArchive: true })
    else if (there === undefined) folders.set(path, { path, files: [file], isArchive: false })
    else there.files.push(file)
  }
  return [...folders.values(), ...archives]
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

function nameWithin(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}

/** Names at the server are the paths, unless one of them could not be a name there. */
function folderOfFiles(path: string, files: readonly ChosenFile[], index: number): Omit<FolderOfFiles, 'isArchive'> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const inside = files.map(({ path: whole, file }) => ({ name: nameWithin(path, whole), content: file, path: whole }))
  const isPacked = files.length > MOST_ALONE
  const isPlain = path === '' ? !isPacked : inside.every((one) => faultOfFileName(`${path}.tar/${one.name}`) === null)
  const name = isPlain ? path : `quarry-folder-${index + 1}`
  const prefix = isPacked ? `${name}.tar` : name
  const sendings = isPacked
    ? packed(prefix, path, inside)
    : inside.map((one) => ({ ...one, name: prefix === '' ? one.name : `${prefix}/${one.name}` }))
  return { bytes, sendings, paths: prefix === path ? new Map() : new Map([[prefix, path]]) }
}

function packed(prefix: string, path: string, inside: readonly Sending[]): readonly Sending[] {
  const small = inside.filter(({ content }) => content.size <= LARGE_FOR_ARCHIVE)
  const large = inside.filter(({ content }) => content.size > LARGE_FOR_ARCHIVE)
  return [
    {
      name: prefix,
      content: tarOf(small),
      path: path === '' ? `${small.length} files` : `${path} (${small.length} files)`,
    },
    ...large.map((one) => ({ ...one, name: `${prefix}/${one.name}` })),
  ]
}

function portioned(folders: readonly FolderOfFiles[]): readonly Portion[] {
  const portions: Portion[] = []
  let room = 0
  for (const folder of folders) {
    const needed = bodyBytes(folder)
    const last = portions.at(-1)
    const fits = last !== undefined && last.folders < MOST_FOLDERS && last.bytes + folder.bytes <= MOST_BYTES
    if (fits && needed <= room && !folder.isArchive) {
      portions[portions.length - 1] = joined(last, folder)
      room -= needed
    } else {
      portions.push({ ...folder, folders: 1 })
      room = folder.isArchive ? 0 : MOST_OF_BODY - needed
    }
  }
  return portions
}

function bodyBytes({ sendings }: FolderOfFiles): number {
  return sendings.reduce((sum, { name }) => sum + JSON.stringify(name).length * 3 + TICKET_BYTES, 0)
}

function joined(portion: Portion, { sendings, bytes, paths }: FolderOfFiles): Portion {
  return {
    sendings: [...portion.sendings, ...sendings],
    folders: portion.folders + 1,
    bytes: portion.bytes + bytes,
    paths: new Map([...portion.paths, ...paths]),
    isArchive: false,
  }
}
