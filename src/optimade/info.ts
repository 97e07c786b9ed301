import type { Json, JsonObject } from '../kernel/json.ts'
import { OPTIMADE_ROOT, OPTIMADE_VERSION, PROVIDER, VERSION_SEGMENTS } from './document.ts'
import { type Property, STRUCTURE_PROPERTIES, STRUCTURES } from './properties.ts'

/** Describes the API; `base` is where the client reaches the root of the server. */
export function baseInfo(base: string): JsonObject {
  return {
    type: 'info',
    id: '/',
    attributes: {
      api_version: OPTIMADE_VERSION,
      available_api_versions: VERSION_SEGMENTS.map((segment) => ({
        url: `${base}${OPTIMADE_ROOT}/${segment}/`,
        version: OPTIMADE_VERSION,
      })),
      formats: ['json'],
      entry_types_by_format: { json: [STRUCTURES] },
      available_endpoints: ['info', 'links', STRUCTURES],
      is_index: false,
    },
  }
}

/** Describes the properties of structures. */
export function structuresInfo(): JsonObject {
  const names = [...STRUCTURE_PROPERTIES.keys()]
  return {
    type: 'info',
    id: STRUCTURES,
    description: 'Materials that are open to everyone: a lattice with atoms on sites, or a molecule in a box.',
    properties: Object.fromEntries([...STRUCTURE_PROPERTIES].map(([name, property]) => [name, describe(property)])),
    formats: ['json'],
    output_fields_by_format: { json: names },
  }
}

/** Lists related servers: there is this one. */
export function links(base: string): Json {
  return [
    {
      type: 'links',
      id: 'quarry',
      attributes: {
        name: PROVIDER.name as string,
        description: PROVIDER.description as string,
        base_url: `${base}${OPTIMADE_ROOT}`,
        homepage: null,
        link_type: 'root',
      },
    },
  ]
}

function describe({ description, type, unit, queryable }: Property): JsonObject {
  const sortable = queryable.sortPath !== undefined
  return { description, type, ...(unit === undefined ? {} : { unit }), sortable }
}
