import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { AppError } from '../../kernel/errors.ts'
import { nearestName } from '../../kernel/names.ts'
import { PAGE_PATHS } from '../../page/addresses.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { Route } from '../exchange/route.ts'
import { type ReferenceSource, referenceOf } from '../openapi/reference.ts'
import { assertNoParameters, pathParameter } from '../request/parameters.ts'
import { builtPage, depthOf, indexAt } from '../response/built-page.ts'
import {
  asksForHtml,
  HTML,
  type PageFile,
  pageFile,
  pageFileResponse,
  redirectResponse,
} from '../response/page-file.ts'

/** Kinds of records whose operations are kept as they were written. */
const MOST_KINDS = 8

/** The page for people, the reference of the API, and their files; `described` is asked when all routes are known. */
export function pageRoutes(kinds: readonly RecordKind[], described: () => ReferenceSource): readonly Route[] {
  const { icon, assets, reference, guides } = builtPage()
  const byDepth = new Map<number, PageFile>()
  for (const path of Object.values(PAGE_PATHS)) {
    const depth = depthOf(path)
    if (!byDepth.has(depth)) byDepth.set(depth, pageFile(HTML, Buffer.from(indexAt(depth))))
  }
  const pageAt = (path: string) => byDepth.get(depthOf(path)) as PageFile
  const { docs, guide, ...others } = PAGE_PATHS
  return [
    ...pathsOf(Object.values(others), kinds).map((path) => pageRoute(path, () => pageAt(path))),
    referenceRoute(docs, reference, described),
    guideRoute(guide, guides),
    iconRoute(icon),
    folderRoute('/web', assets),
  ]
}

/** Paths of pages, each once; what is of any collection is of those that there are. */
function pathsOf(patterns: readonly string[], kinds: readonly RecordKind[]): readonly string[] {
  const paths = patterns.flatMap((pattern) =>
    pattern.startsWith('/:collection') ? kinds.map((kind) => pattern.replace(':collection', kind.collection)) : pattern,
  )
  return [...new Set(paths)]
}

function pageRoute(path: string, fileFor: (context: RequestContext) => PageFile): Route {
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
      if (isPage) return pageFileResponse(context, fileFor(context))
      const last = asked.split('/').at(-2) ?? ''
      return redirectResponse(`../${last}${search === undefined ? '' : `?${search}`}`)
    },
  }
}

/** A program that forgot the prefix of the API must not take a page for records. */
function wantsPage(context: RequestContext, path: string): boolean {
  return path === '/' || path.startsWith('/docs') || asksForHtml(context)
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

/** Writes the operations into their document when they are first asked for, of each kind by itself. */
function referenceRoute(path: string, document: string, described: () => ReferenceSource): Route {
  const files = new BoundedCache<PageFile>({ most: MOST_KINDS })
  return pageRoute(path, ({ url }) => {
    const asked = new URLSearchParams(url.split('?', 2)[1]).get('kind')
    const { kinds } = described()
    const kind = kinds.find(({ collection }) => collection === asked) ?? (kinds[0] as RecordKind)
    let file = files.get(kind.collection)
    if (file === undefined) {
      const { chapters, operations } = referenceOf(described(), kind)
      const html = document
        .replace('<!-- chapters -->', () => chapters)
        .replace('<!-- operations -->', () => operations)
      file = pageFile(HTML, Buffer.from(html))
      files.set(kind.collection, file)
    }
    return file
  })
}

/** A guide is shown under its name, and is there as text under that of its file. */
function guideRoute(path: string, guides: ReadonlyMap<string, PageFile>): Route {
  const documentOf = (context: RequestContext) => guides.get(`${pathParameter(context, 'name')}.html`)
  const shown = pageRoute(path, (context) => documentOf(context) as PageFile)
  return {
    ...shown,
    handler: (context) => {
      const name = pathParameter(context, 'name')
      if (documentOf(context) !== undefined) return shown.handler(context)
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
