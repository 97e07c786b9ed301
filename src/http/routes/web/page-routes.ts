import { AppError } from '../../../kernel/errors.ts'
import { nearestName } from '../../../kernel/names.ts'
import { HTTP_ERRORS } from '../../errors.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { pathParameter } from '../../request/path-id.ts'
import { type PageFile, sendElsewhere, sendPageFile } from '../../response/page-file.ts'
import type { Route } from '../../route.ts'
import { readPageFiles } from './page-files.ts'

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
