import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { projectFile } from '../../kernel/project-files.ts'
import { HTML, type PageFile, pageFile } from './page-file.ts'

/** Build output of `web/`. */
const PAGE = projectFile('dist/web/')

const ICON = 'image/svg+xml'

/** Types of files that the pages load, by the end of the name; others are not served. */
const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': ICON,
}

/** Guides as they were built, the list of their sections, and their Markdown as plain text: browsers show that, and offer the other for download. */
const GUIDE_TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.json': 'application/json',
  '.md': 'text/plain; charset=utf-8',
}

/** Folders of the texts of guides; no file name occurs in both. */
const GUIDE_FOLDERS = ['reference', 'how-to'] as const

let built: PageFiles | undefined

/** The pages, read once; a server whose files are not there does not start. */
export function builtPage(): PageFiles {
  built ??= readPageFiles()
  return built
}

/** All that is served beside the API. */
interface PageFiles {
  /** The one document, which shows whatever its address says; it names its files from its own address. */
  readonly index: string
  readonly icon: PageFile
  /** Scripts, styles and pictures, by name. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** Document in which the operations of the server are put. */
  readonly reference: string
  /** Guides and reference as documents, and in Markdown, by name. */
  readonly guides: ReadonlyMap<string, PageFile>
}

function readPageFiles(): PageFiles {
  const folders = [new URL('docs/', PAGE), ...GUIDE_FOLDERS.map((folder) => projectFile(`docs/${folder}/`))]
  return {
    index: readFileSync(new URL('index.html', PAGE), 'utf8'),
    icon: pageFile(ICON, readFileSync(projectFile('web/icon.svg'))),
    assets: readFolder(new URL('web/', PAGE), ASSET_TYPES, true),
    reference: readFileSync(new URL('docs.html', PAGE), 'utf8'),
    guides: new Map(folders.flatMap((folder) => [...readFolder(folder, GUIDE_TYPES, false)])),
  }
}

type Types = Readonly<Record<string, string>>

function readFolder(folder: URL, types: Types, isNamedByContent: boolean): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const at = new URL(name, folder)
    files.set(name, pageFile(type, readFileSync(at), { ...readEncoded(at), isNamedByContent }))
  }
  return files
}

/** Compressed files of the build, which texts of guides do not have. */
function readEncoded(at: URL): Partial<Pick<PageFile, 'encoded'>> {
  const read = (ending: string) => {
    const file = new URL(`${at.href}${ending}`)
    return existsSync(file) ? readFileSync(file) : undefined
  }
  const [br, gzip] = [read('.br'), read('.gz')]
  return br === undefined && gzip === undefined ? {} : { encoded: { ...(br && { br }), ...(gzip && { gzip }) } }
}

/** Number of folders above a page. */
export function depthOf(path: string): number {
  return path.split('/').length - 2
}

/** Finds files from the address of the page, whatever path a proxy puts before the server's own. */
export function indexAt(depth: number): string {
  return builtPage().index.replaceAll(/(src|href)="\.\//g, `$1="${depth === 0 ? './' : '../'.repeat(depth)}`)
}
