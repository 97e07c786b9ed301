import { API_PREFIX } from '../../address.ts'
import { listOf, object, TEXT } from '../../openapi/schemas.ts'
import { invalidField } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendDataText } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { CONTENT, FORMAT, FRAME, optionalText, readStructureBody, STRUCTURE_BODY_LIMIT } from './structure-body.ts'

export function convertStructureRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/convert`,
    access: 'session',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    operation: {
      id: 'convertStructure',
      tag: 'Structures',
      summary: 'Write a structure file in another format',
      description: 'Nothing is stored. To the format material, the answer has material in place of content.',
      body: {
        schema: object({ content: CONTENT, format: FORMAT, frame: FRAME, name: TEXT, to: TEXT }, [
          'format',
          'frame',
          'name',
        ]),
        example: {
          content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n',
          format: 'poscar',
          to: 'cif',
        },
      },
      success: {
        status: 200,
        description: 'The structure in the other format, and what reading the file had to assume.',
        schema: object(
          { format: TEXT, to: TEXT, content: TEXT, material: { type: 'object' }, warnings: listOf({ type: 'object' }) },
          ['content', 'material'],
        ),
      },
      failures: [422],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { file, fields } = await readStructureBody(records.work, request, ['to'])
      const to = optionalText('to', fields.to)
      if (to === undefined) throw invalidField('to', 'the name of a format')
      return sendDataText(reply, await records.work.convert(sessionOf(request).user.id, file, to))
    },
  }
}
