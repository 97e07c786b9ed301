import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { nearestName } from '../../kernel/names.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { assertNoParameters, pathParameter } from '../request/parameters.ts'
import { type PageFile, pageFile, sendElsewhere, sendPageFile } from '../response/page-file.ts'
import type { Route } from '../route.ts'

/** The project's directory, which lies four levels up from the source and from the compiled file alike. */
const PROJECT = new URL('../../../', import.meta.url)

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

/** The page for people, the reference of the API, and the files that they are made of. */
export function pageRoutes(): readonly Route[] {
  const { index, docs, icon, assets, reference } = readPageFiles()
  return [
    fileRoute('/', index),
    fileRoute('/docs', docs),
    fileRoute('/favicon.ico', icon),
    folderRoute('/web', assets),
    folderRoute('/docs', reference),
  ]
}

function fileRoute(path: string, file: PageFile): Route {
  return {
    method: 'GET',
    path,
    access: 'guest',
    handler: (request, reply) => {
      assertNoParameters(request)
      // What the page loads is named from its own address: with a slash behind it, that would be one folder down.
      const isPage = path === '/' || !request.url.endsWith('/')
      return isPage ? sendPageFile(reply, file) : sendElsewhere(reply, `..${path}`)
    },
  }
}

function folderRoute(folder: string, files: ReadonlyMap<string, PageFile>): Route {
  return {
    method: 'GET',
    path: `${folder}/:file`,
    access: 'guest',
    handler: (request, reply) => {
      assertNoParameters(request)
      const name = pathParameter(request, 'file')
      const file = files.get(name)
      if (file === undefined) throw noSuchFile(folder, name, [...files.keys()])
      return sendPageFile(reply, file)
    },
  }
}

function noSuchFile(folder: string, name: string, names: readonly string[]): AppError {
  const path = `${folder}/${name}`
  const near = nearestName(name, names)
  const hint =
    near === null
      ? 'The page for people is at /, the reference of the API at /docs.'
      : `Did you mean ${folder}/${near}?`
  return new AppError(HTTP_ERRORS.unknownRoute, `There is nothing at ${path}. ${hint}`, { path, hint })
}
