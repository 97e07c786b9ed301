import { exportStructure } from '../../../records/structure-files/export-structure.ts'
import { API_PREFIX, splitTarget } from '../../address.ts'
import { TEXT } from '../../openapi/schemas.ts'
import { acceptedFormat, mediaTypeOf } from '../../request/accepted-format.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertKnown } from '../../request/known-parameters.ts'
import { readParameters } from '../../request/parameters.ts'
import { pathId } from '../../request/path-id.ts'
import { sendFile } from '../../response/send-file.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

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
          description: 'cif, poscar, xyz, espresso, pymatgen, ase, optimade or material; without it, Accept decides.',
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
      const { fileName, text } = await exportStructure(records, sessionOf(request), pathId(request), format)
      return sendFile(reply, { type: mediaTypeOf(format), fileName }, text)
    },
  }
}
