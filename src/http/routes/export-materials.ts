import { AppError } from '../../kernel/errors.ts'
import { countForArchive, exportArchive, exportStructure } from '../../records/import/export-structures.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { writableFormat } from '../../records/kinds/material/structure-files.ts'
import { exportRecords } from '../../records/use-cases/read-records.ts'
import { listWarnings } from '../../records/warnings/list-warnings.ts'
import { formatNames, isWritten } from '../../structure/formats/registry.ts'
import { API_PREFIX, splitTarget } from '../address.ts'
import { holdPlace } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { COLUMNS, exportQuery } from '../openapi/list-parameters.ts'
import { TEXT } from '../openapi/schemas.ts'
import { acceptedFormat, mediaTypeOf } from '../request/accepted-format.ts'
import { assertKnown, pathId, readParameters } from '../request/parameters.ts'
import { readExportRequest, readLinesRequest } from '../request/search-body.ts'
import { warningHeaders } from '../response/answer.ts'
import { packingOf, sendFile, sendLines } from '../response/stream.ts'
import type { Route } from '../route.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { collectionOf } from './collection.ts'

/** All materials that match: as structure files in a zip archive, or as records, one a line. */
export function exportMaterialsRoute({ records }: HttpServices, settings: HttpSettings): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/export`,
    access: 'session',
    answersHead: false,
    operation: {
      id: 'exportMaterials',
      tag: 'Materials',
      summary: 'Read all materials that match, however many',
      description:
        'With format, a zip archive of structure files; materials that the format cannot express are listed in its ' +
        'not-exported.txt. Without, the records as NDJSON, which an import takes; with format=csv, fields of them as a table.',
      query: [
        ...exportQuery(materialKind),
        {
          name: 'format',
          description: `One of ${formatNames(isWritten)}; or csv: a table of the fields that columns names.`,
          schema: TEXT,
        },
        COLUMNS,
      ],
      success: {
        status: 200,
        description: 'The archive or the lines, as a stream.',
        schema: TEXT,
        types: ['application/zip', 'application/x-ndjson', 'text/csv', 'application/gzip'],
      },
      failures: [],
    },
    handler: async (request, reply) => {
      const parameters = new Map(readParameters(splitTarget(request.url).query))
      const name = parameters.get('format')
      const isLines = name === undefined || name === 'csv'
      const packing = isLines ? packingOf(request, parameters) : 'none'
      if (isLines) parameters.delete('gzip')
      else parameters.delete('format')
      const { asked, columns } = isLines
        ? readLinesRequest(parameters, settings, materialKind)
        : { asked: readExportRequest(parameters, settings, materialKind), columns: null }
      if (!isLines && asked.fields !== null) throw noFieldsOfFiles()
      const materials = collectionOf(request, records, materialKind)
      holdPlace('exports', reply)
      const warnings = (isEmpty: boolean) => listWarnings(materials, asked, isEmpty)
      if (isLines) {
        const lines = exportRecords(materials, asked)
        return sendLines(reply, { name: 'materials', packing, lines, columns, warnings })
      }
      const format = writableFormat(name)
      const count = await countForArchive(materials, asked)
      const head = {
        type: 'application/zip',
        fileName: `materials-${format.name}.zip`,
        headers: warningHeaders(await warnings(count === 0)),
      }
      return sendFile(reply, head, exportArchive(materials, { ...asked, fields: null }, format))
    },
  }
}

function noFieldsOfFiles(): AppError {
  const hint = 'Leave them out, or leave format out for the records with these fields.'
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    `A structure file is whole, so the fields of the projection mean nothing. ${hint}`,
    { path: 'projection.fields', hint },
  )
}

export function exportMaterialRoute({ records }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/export`,
    access: 'session',
    operation: {
      id: 'exportMaterial',
      tag: 'Materials',
      summary: 'Read a material as a structure file',
      query: [
        {
          name: 'format',
          description: `One of ${formatNames(isWritten)}; without it, Accept decides.`,
          schema: TEXT,
          example: 'cif',
        },
      ],
      headers: { Accept: 'chemical/x-cif, chemical/x-vasp, chemical/x-xyz or application/json.' },
      success: {
        status: 200,
        description: 'The file, without an envelope.',
        schema: TEXT,
        types: ['chemical/x-cif', 'chemical/x-xyz', 'text/plain', 'application/json'],
      },
      failures: [404, 406, 422],
    },
    handler: async (request, reply) => {
      const parameters = readParameters(splitTarget(request.url).query)
      assertKnown(parameters, ['format'])
      const format = acceptedFormat(parameters.get('format'), request.headers.accept)
      const materials = collectionOf(request, records, materialKind)
      const { fileName, text } = await exportStructure(materials, pathId(request), format)
      return sendFile(reply, { type: mediaTypeOf(format), fileName }, text)
    },
  }
}
