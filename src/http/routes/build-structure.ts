import { assertMayWrite } from '../../accounts/session.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { BUILD_STEPS, readBuildSteps } from '../../records/kinds/material/read-build-steps.ts'
import type { SentFile } from '../../records/kinds/material/structure-files.ts'
import { buildMaterial, builtText, storeBuilt } from '../../records/use-cases/build-material.ts'
import { getRecord } from '../../records/use-cases/read-records.ts'
import { BUILD_LIMITS } from '../../structure/building/build-step.ts'
import { API_PREFIX } from '../address.ts'
import { collectionOf, type RequestContext, sessionOf } from '../exchange/context.ts'
import { answerWith, createdResponse, dataTextResponse } from '../exchange/response.ts'
import type { Operation, Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { invalidField } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { structureFileOf } from './crystals.ts'
import { CONTENT, FORMAT, FRAME, readStructureFields, STRUCTURE_BODY_LIMIT } from './structures.ts'

const STEPS: JsonObject = {
  type: 'array',
  minItems: 1,
  maxItems: BUILD_LIMITS.steps,
  items: { type: 'object', minProperties: 1, maxProperties: 1 },
  description: `What is done, one after the other; each an object with one field: ${BUILD_STEPS.join(', ')}.`,
}

const OPERATION: Operation = {
  id: 'buildStructure',
  tag: 'Structures',
  summary: 'Build a structure from another one: supercells, slabs, defects, strained cells',
  description:
    'From a material that you can see, or from a structure file. What is built of a material says in madeFrom what it was made from, and with which steps. With store it becomes a material of your account; else nothing is stored.',
  body: {
    schema: object(
      {
        steps: STEPS,
        material: { ...TEXT, description: 'The _id of the material that is built from, in place of content.' },
        content: CONTENT,
        format: FORMAT,
        frame: FRAME,
        name: TEXT,
        store: { type: 'boolean', default: false, description: 'Whether it is stored; of a material only.' },
      },
      ['material', 'content', 'format', 'frame', 'name', 'store'],
    ),
    example: {
      material: 'Kq3vZbW8mXyTn4RcP',
      steps: [{ slab: { miller: [1, 1, 1], layers: 4, vacuum: 15 } }, { supercell: { size: [2, 2, 1] } }],
      store: false,
    },
  },
  success: {
    status: 200,
    description:
      'The structure as a material; the record and 201 where it was stored. steps says what came of each, consistencyChecks what is odd, warnings what was left out.',
    schema: object(
      {
        material: { type: 'object' },
        nSites: { type: 'integer' },
        formula: TEXT,
        steps: listOf({ type: 'object' }),
        consistencyChecks: listOf({ type: 'object' }),
        warnings: listOf({ type: 'object' }),
      },
      [],
    ),
    warns: true,
  },
  failures: [403, 404, 413, 422],
}

export function buildStructureRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/build`,
    access: 'session',
    repeats: 'kept',
    writesOnRequest: true,
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: OPERATION,
    handler: async (context) => {
      assertNoParameters(context)
      const { file, fields } = await readStructureFields(records.work, context, ['material', 'steps', 'store'])
      const steps = readBuildSteps(fields.steps, invalidField)
      const store = readStore(fields.store, file)
      if (store) assertMayWrite(sessionOf(context))
      if (file !== null && fields.material !== undefined) throw invalidField('material', 'left out beside content')
      const collection = collectionOf(context, records, materialKind)
      const built = await buildMaterial(
        collection,
        file ?? (await storedFile(context, fields.material, records)),
        steps,
      )
      if (!store) {
        const response = dataTextResponse(builtText(built, built.material))
        await context.once?.keepUnlessTold(response)
        return response
      }
      const present = (record: Parameters<typeof createdResponse>[0]) =>
        createdResponse(record, 201, { location: `${API_PREFIX}/materials/${record.id}` })
      return answerWith(context, present, (once) => storeBuilt({ ...collection, once }, built))
    },
  }
}

function readStore(value: Json | undefined, file: SentFile | null): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw invalidField('store', 'true or false')
  if (value !== true || file === null) return value === true
  throw invalidField('store', 'false for a file: import it (POST /materials/import), and send its _id as material')
}

async function storedFile(
  context: RequestContext,
  id: Json | undefined,
  records: HttpServices['records'],
): Promise<SentFile> {
  if (typeof id !== 'string' || id === '') {
    throw invalidField('material', 'the _id of a material, or content the text of a structure file')
  }
  const record = await getRecord(collectionOf(context, records, materialKind), id)
  return structureFileOf(records.work, sessionOf(context).user.id, record)
}
