import { AppError } from '../../../kernel/errors.ts'
import { exportRecords } from '../../../records/export-records.ts'
import { materialKind } from '../../../records/kinds/material/material-kind.ts'
import { countForArchive, exportArchive } from '../../../records/structure-files/export-archive.ts'
import { writableFormat } from '../../../records/structure-files/writable-format.ts'
import { listWarnings } from '../../../records/warnings/list-warnings.ts'
import { API_PREFIX, splitTarget } from '../../address.ts'
import { holdPlace } from '../../bounds/held.ts'
import { HTTP_ERRORS } from '../../errors.ts'
import { exportQuery } from '../../openapi/list-parameters.ts'
import { TEXT } from '../../openapi/schemas.ts'
import { readExportRequest } from '../../request/export-request.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { readParameters } from '../../request/parameters.ts'
import { warningHeaders } from '../../response/beside.ts'
import { sendFile } from '../../response/send-file.ts'
import { packingOf, sendLines } from '../../response/send-lines.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'

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
        'not-exported.txt. Without, the records as NDJSON, which an import takes.',
      query: [
        ...exportQuery(materialKind),
        {
          name: 'format',
          description: 'cif, poscar, xyz, espresso, pymatgen, ase, optimade or material.',
          schema: TEXT,
        },
      ],
      success: {
        status: 200,
        description: 'The archive or the lines, as a stream.',
        schema: TEXT,
        types: ['application/zip', 'application/x-ndjson', 'application/gzip'],
      },
      failures: [],
    },
    handler: async (request, reply) => {
      const parameters = new Map(readParameters(splitTarget(request.url).query))
      const name = parameters.get('format')
      parameters.delete('format')
      const packing = name === undefined ? packingOf(request, parameters) : 'none'
      if (name === undefined) parameters.delete('gzip')
      const asked = readExportRequest(parameters, settings, materialKind)
      if (name !== undefined && asked.fields !== null) throw noFieldsOfFiles()
      const session = sessionOf(request)
      holdPlace('exports', reply)
      const warnings = (isEmpty: boolean) => listWarnings(records.store, materialKind, session.scope, asked, isEmpty)
      if (name === undefined) {
        const lines = exportRecords(records, materialKind, session, asked)
        return sendLines(reply, { name: 'materials', packing, lines, warnings })
      }
      const format = writableFormat(name)
      const count = await countForArchive(records, session, asked)
      const head = {
        type: 'application/zip',
        fileName: `materials-${format.name}.zip`,
        headers: warningHeaders(warnings(count === 0)),
      }
      return sendFile(reply, head, exportArchive(records, session, { ...asked, fields: null }, format))
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
