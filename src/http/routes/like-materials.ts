import type { Json, JsonObject } from '../../kernel/json.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { similarMaterials } from '../../records/use-cases/nearest-materials.ts'
import { sameMaterials } from '../../records/use-cases/same-materials.ts'
import { listWarnings } from '../../records/warnings/field-guide.ts'
import { API_PREFIX } from '../address.ts'
import type { RequestContext } from '../exchange/context.ts'
import { collectionOf } from '../exchange/context.ts'
import { dataResponse, warnedResponse } from '../exchange/response.ts'
import type { QueryParameter, Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import {
  invalidParameter,
  knownParameters,
  pathId,
  readStrict,
  readWholeNumber,
  STRICT_PARAMETER,
} from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'

const MOST = 100
const DEFAULT_SAME = 20
const DEFAULT_SIMILAR = 12

const NUMBER: JsonObject = { type: 'number', minimum: 0 }
const COUNT: JsonObject = { type: 'integer', minimum: 0 }
const EXACT: JsonObject = {
  type: 'boolean',
  description: 'false where not all that might be were looked at: there are more than limit, or the time was up.',
}
const SUMMARY = {
  _id: TEXT,
  name: TEXT,
  formula: TEXT,
  nSites: COUNT,
  spaceGroup: { type: 'object' },
  prototype: { type: 'object' },
  isPublic: { type: 'boolean' },
  owner: { type: 'object' },
}

function limit(absent: number, description: string): QueryParameter {
  return { name: 'limit', description, schema: { type: 'integer', minimum: 1, maximum: MOST, default: absent } }
}

/** Routes for materials that are the same crystal, or built alike. */
export function likeMaterialsRoutes(services: HttpServices, settings: HttpSettings): readonly Route[] {
  return [sameRoute(services), similarRoute(services, settings)]
}

/** The material that is asked about, and for whom. */
function asked(context: RequestContext, { records }: HttpServices) {
  readNoBody(context)
  return { collection: collectionOf(context, records, materialKind), id: pathId(context), reading: context.reading }
}

function sameRoute(services: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/same`,
    access: 'session',
    operation: {
      id: 'findSameMaterials',
      tag: 'Materials',
      summary: 'Find the materials that are the same crystal',
      description:
        'Whatever their cell, supercell, origin, orientation and order of atoms; mirror images are told apart. They can be laid upon each other with no atom farther off than 0.1 Å and no direction of the lattice longer or shorter by more than 1 %.',
      query: [limit(DEFAULT_SAME, 'How many candidates are compared at the most, the nearest first.')],
      success: {
        status: 200,
        description: 'Those that can be laid upon the material, the best first; distances in Å.',
        schema: object({
          same: listOf(
            object(
              { ...SUMMARY, rms: NUMBER, largest: NUMBER, strain: NUMBER, handedness: { enum: ['same', 'opposite'] } },
              ['spaceGroup', 'prototype'],
            ),
          ),
          compared: COUNT,
          exact: EXACT,
        }),
      },
      failures: [404, 422],
    },
    handler: async (context) => {
      const most = readWholeNumber(knownParameters(context, ['limit']), 'limit', 1, MOST) ?? DEFAULT_SAME
      const { collection, id, reading } = asked(context, services)
      return dataResponse((await sameMaterials(collection, id, most, reading)) as unknown as Json)
    },
  }
}

function similarRoute(services: HttpServices, settings: HttpSettings): Route {
  const { bounds } = settings
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/similar`,
    access: 'session',
    operation: {
      id: 'findSimilarMaterials',
      tag: 'Materials',
      summary: 'Find the materials whose geometry is nearest',
      description: 'Of any elements and any size. All that you can see are looked at.',
      query: [
        limit(DEFAULT_SIMILAR, 'How many, the nearest first.'),
        { name: 'within', description: 'What is farther is left out.', schema: NUMBER },
        { name: 'query', description: 'Only those that match this filter, as lists have it.', schema: TEXT },
        STRICT_PARAMETER,
      ],
      success: {
        status: 200,
        description: 'The nearest first, with their distances in units of the cube root of the volume of an atom.',
        schema: object({
          similar: listOf(object({ ...SUMMARY, distance: NUMBER }, ['spaceGroup', 'prototype'])),
          records: COUNT,
          exact: EXACT,
        }),
        warns: true,
      },
      failures: [404, 422],
    },
    handler: async (context) => {
      const parameters = knownParameters(context, ['limit', 'within', 'query', 'strict'])
      const most = readWholeNumber(parameters, 'limit', 1, MOST) ?? DEFAULT_SIMILAR
      const within = readDistance(parameters.get('within'))
      const query = parameters.get('query')
      const filter = parseFilter(query === undefined ? {} : parseQueryText(query, bounds, 'query'), bounds, 'query')
      const { collection, id, reading } = asked(context, services)
      const found = await similarMaterials(collection, id, { limit: most, within, filter }, reading)
      const warned = { filter, strict: readStrict(parameters, settings) }
      const isEmpty = found.exact && found.records === 0
      return warnedResponse(found as unknown as Json, await listWarnings(collection, warned, isEmpty, reading.since))
    },
  }
}

function readDistance(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 10) return value
  throw invalidParameter('within', text, 'a distance from 0 to 10')
}
