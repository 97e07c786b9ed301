import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type PageFile, pageFile } from '../../response/page-file.ts'

/** The project's directory, which lies four levels up from the source and from the compiled file alike. */
const PROJECT = new URL('../../../../', import.meta.url)

const HTML = 'text/html; charset=utf-8'
const ICON = 'image/svg+xml'

/** What the pages load, by the end of its name; a file of any other kind is not served. */
const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': ICON,
}

/** Markdown as plain text: browsers show that, and offer the other for download. */
const REFERENCE_TYPES: Readonly<Record<string, string>> = { '.md': 'text/plain; charset=utf-8' }

/** All that is served beside the API. */
export interface PageFiles {
  readonly index: PageFile
  readonly docs: PageFile
  readonly icon: PageFile
  /** Scripts, styles and pictures, by name. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** The reference in Markdown, by name. */
  readonly reference: ReadonlyMap<string, PageFile>
}

/** Reads the pages once; a server whose files are not there does not start. */
export function readPageFiles(): PageFiles {
  return {
    index: readFile('web/index.html', HTML),
    docs: readFile('web/docs.html', HTML),
    icon: readFile('web/icon.svg', ICON),
    assets: readFolder('web/', ASSET_TYPES),
    reference: readFolder('docs/reference/', REFERENCE_TYPES),
  }
}

function readFolder(folder: string, types: Readonly<Record<string, string>>): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const name of readdirSync(new URL(folder, PROJECT))) {
    const type = types[extname(name)]
    if (type !== undefined) files.set(name, readFile(`${folder}${name}`, type))
  }
  return files
}

function readFile(path: string, type: string): PageFile {
  return pageFile(type, readFileSync(new URL(path, PROJECT)))
}
