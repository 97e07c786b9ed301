import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { nearestName } from '../../kernel/names.ts'
import { projectFile } from '../../kernel/project-files.ts'
import { PAGE_PATHS } from '../../page/addresses.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { Route } from '../exchange/route.ts'
import { assertNoParameters, pathParameter } from '../request/parameters.ts'
import { type PageFile, pageFile, pageFileResponse, redirectResponse } from '../response/page-file.ts'

/** Build output of `web/`. */
const PAGE = projectFile('dist/web/')

const HTML = 'text/html; charset=utf-8'
const ICON = 'image/svg+xml'

/** Types of files that the pages load, by the end of the name; others are not served. */
const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': ICON,
}

/** Markdown as plain text: browsers show that, and offer the other for download. */
const GUIDE_TYPES: Readonly<Record<string, string>> = { '.md': 'text/plain; charset=utf-8' }

/** Folders of texts shown on the page; no file name occurs in both. */
const GUIDE_FOLDERS = ['reference', 'how-to'] as const

/** All that is served beside the API. */
export interface PageFiles {
  /** The one document, which shows whatever its address says; it names its files from its own address. */
  readonly index: string
  readonly icon: PageFile
  /** Scripts, styles and pictures, by name. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** Guides and reference in Markdown, by name. */
  readonly guides: ReadonlyMap<string, PageFile>
}

/** Reads the pages once; a server whose files are not there does not start. */
export function readPageFiles(): PageFiles {
  const assets = readFolder(new URL('web/', PAGE), ASSET_TYPES, true)
  return {
    index: readFileSync(new URL('index.html', PAGE), 'utf8'),
    icon: pageFile(ICON, readFileSync(projectFile('web/icon.svg'))),
    assets,
    guides: new Map(
      GUIDE_FOLDERS.flatMap((folder) => [...readFolder(projectFile(`docs/${folder}/`), GUIDE_TYPES, false)]),
    ),
  }
}

type Types = Readonly<Record<string, string>>

function readFolder(folder: URL, types: Types, isNamedByContent: boolean): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const at = new URL(name, folder)
    const options = isNamedByContent ? { encoded: readEncoded(at), isNamedByContent } : {}
    files.set(name, pageFile(type, readFileSync(at), options))
  }
  return files
}

/** Compressed files of the build. */
function readEncoded(at: URL): PageFile['encoded'] {
  const read = (ending: string) => {
    const file = new URL(`${at.href}${ending}`)
    return existsSync(file) ? readFileSync(file) : undefined
  }
  const [br, gzip] = [read('.br'), read('.gz')]
  return { ...(br && { br }), ...(gzip && { gzip }) }
}

/** The page for people, the reference of the API, and the files that they are made of. */
export function pageRoutes(): readonly Route[] {
  const { index, icon, assets, guides } = readPageFiles()
  const byDepth = new Map<number, PageFile>()
  for (const path of Object.values(PAGE_PATHS)) {
    const depth = depthOf(path)
    if (!byDepth.has(depth)) byDepth.set(depth, pageFile(HTML, Buffer.from(indexAt(depth, index))))
  }
  const pageAt = (path: string) => byDepth.get(depthOf(path)) as PageFile
  const { guide, ...others } = PAGE_PATHS
  return [
    ...Object.values(others).map((path) => pageRoute(path, pageAt(path))),
    guideRoute(guide, pageAt(guide), guides),
    iconRoute(icon),
    folderRoute('/web', assets),
  ]
}

/** Number of folders above a page. */
function depthOf(path: string): number {
  return path.split('/').length - 2
}

/** Finds files from the address of the page, whatever path a proxy puts before the server's own. */
function indexAt(depth: number, index: string): string {
  return index.replaceAll(/(src|href)="\.\//g, `$1="${depth === 0 ? './' : '../'.repeat(depth)}`)
}

function pageRoute(path: string, file: PageFile): Route {
  return {
    method: 'GET',
    path,
    access: 'guest',
    // Parameters are for the page, which reports those that it does not understand.
    handler: (context) => {
      if (!wantsPage(context, path)) throw noPageForPrograms(path)
      const [asked = '', search] = context.url.split('?', 2)
      // Files are named from the address of the page: with a slash behind it, that would be one folder down.
      const isPage = path === '/' || !asked.endsWith('/')
      if (isPage) return pageFileResponse(context, file)
      const last = asked.split('/').at(-2) ?? ''
      return redirectResponse(`../${last}${search === undefined ? '' : `?${search}`}`)
    },
  }
}

/** Browsers say that they want HTML. A program that forgot the prefix of the API must not take a page for records. */
function wantsPage({ headers: { accept = '' } }: RequestContext, path: string): boolean {
  return path === '/' || path.startsWith('/docs') || /text\/html|application\/xhtml/.test(accept)
}

function noPageForPrograms(path: string): AppError {
  const hint = `Did you mean ${API_PREFIX}${path.replaceAll(/:(\w+)/g, '{$1}')}?`
  return new AppError(HTTP_ERRORS.unknownRoute, `${path} is a page for browsers, which ask for text/html. ${hint}`, {
    path,
    hint,
  })
}

function iconRoute(icon: PageFile): Route {
  return {
    method: 'GET',
    path: '/favicon.ico',
    access: 'guest',
    handler: (context) => {
      assertNoParameters(context)
      return pageFileResponse(context, icon)
    },
  }
}

/** A guide is shown by the page under its name, and is there as text under that of its file. */
function guideRoute(path: string, page: PageFile, guides: ReadonlyMap<string, PageFile>): Route {
  const shown = pageRoute(path, page)
  return {
    ...shown,
    handler: (context) => {
      const name = pathParameter(context, 'name')
      if (guides.has(`${name}.md`)) return shown.handler(context)
      assertNoParameters(context)
      const file = guides.get(name)
      if (file === undefined) throw noSuchFile('/docs', name, [...guides.keys()])
      return pageFileResponse(context, file)
    },
  }
}

function folderRoute(folder: string, files: ReadonlyMap<string, PageFile>): Route {
  return {
    method: 'GET',
    path: `${folder}/:file`,
    access: 'guest',
    handler: (context) => {
      assertNoParameters(context)
      const name = pathParameter(context, 'file')
      const file = files.get(name)
      if (file === undefined) throw noSuchFile(folder, name, [...files.keys()])
      return pageFileResponse(context, file)
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
