import { API_PREFIX } from '../address.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataTextResponse } from '../exchange/response.ts'
import type { Operation, Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { storedStructure } from './crystals.ts'
import { CONTENT, FORMAT, FRAME, readStructureBody, STRUCTURE_BODY_LIMIT } from './structures.ts'

/** The neighbours of the atoms of a crystal, stored or sent; they are not kept. */
export function coordinationRoutes(services: HttpServices): readonly Route[] {
  return [materialCoordinationRoute(services), structureCoordinationRoute(services)]
}

const COORDINATION: Operation['success'] = {
  status: 200,
  description:
    'Sites by orbit where the symmetry is known: coordination number, bond lengths in Å, neighbours by element, and each bond.',
  schema: { type: 'object' },
}
const METHOD =
  'By the solid angles of Voronoi cells, as CrystalNN has it: Zimmermann and Jain, RSC Adv. 10, 6063 (2020).'

function materialCoordinationRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/coordination`,
    access: 'session',
    operation: {
      id: 'getMaterialCoordination',
      tag: 'Materials',
      summary: 'Find coordination numbers and bond lengths of a material',
      description: METHOD,
      success: COORDINATION,
      failures: [404, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const file = await storedStructure(services, context)
      return dataTextResponse(await records.work.run('coordination', sessionOf(context).user.id, { file }))
    },
  }
}

function structureCoordinationRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/coordination`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: {
      id: 'coordinationOfStructure',
      tag: 'Structures',
      summary: 'Find coordination numbers and bond lengths of a structure file',
      description: `${METHOD} Nothing is stored.`,
      body: {
        schema: object({ content: CONTENT, format: FORMAT, frame: FRAME, name: TEXT }, ['format', 'frame', 'name']),
        example: { content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n' },
      },
      success: COORDINATION,
      failures: [422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { file } = await readStructureBody(records.work, context, [])
      return dataTextResponse(await records.work.run('coordination', sessionOf(context).user.id, { file }))
    },
  }
}
