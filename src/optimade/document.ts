import { AppError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { clip } from '../query/context.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import { PROVIDER_PREFIX, type Property, STRUCTURE_PROPERTIES, STRUCTURES } from './properties.ts'

/** The version of the specification that is spoken, and the address of the API below the server's. */
export const OPTIMADE_VERSION = '1.1.0'
export const OPTIMADE_ROOT = '/optimade'

/** First components below the root that name the version; without one, the preferred version answers. */
export const VERSION_SEGMENTS = ['v1', 'v1.1', 'v1.1.0'] as const

const LOOKS_LIKE_VERSION = /^v\d/

export interface OptimadeAddress {
  /** `/optimade/v1`, or `/optimade` for what is asked without a version. */
  readonly base: string
  /** Path below `base`, with the query: `/structures?filter=nelements=2`. */
  readonly representation: string
  readonly isVersioned: boolean
}

export function optimadeAddress(target: string): OptimadeAddress {
  const [first] = segmentsOf(target)
  const isVersioned = (VERSION_SEGMENTS as readonly string[]).includes(first ?? '')
  const base = isVersioned ? `${OPTIMADE_ROOT}/${first}` : OPTIMADE_ROOT
  return { base, representation: target.slice(base.length), isVersioned }
}

export function isOptimadeTarget(target: string): boolean {
  const next = target[OPTIMADE_ROOT.length]
  return target.startsWith(OPTIMADE_ROOT) && (next === undefined || next === '/' || next === '?')
}

/** The version that a target asks for when it is none that there is, else null. */
export function foreignOptimadeVersion(target: string): string | null {
  const [first = ''] = segmentsOf(target)
  const isKnown = (VERSION_SEGMENTS as readonly string[]).includes(first)
  return LOOKS_LIKE_VERSION.test(first) && !isKnown ? first : null
}

function segmentsOf(target: string): readonly string[] {
  return target.slice(OPTIMADE_ROOT.length + 1).split(/[/?]/)
}

/** Provider of the data, in every document and among the links. */
export const PROVIDER: JsonObject = {
  name: 'Quarry',
  description: 'A self-hosted server of materials and methods.',
  prefix: PROVIDER_PREFIX,
}

/** Statements of a document about its request. */
export interface DocumentMeta {
  readonly representation: string
  /** RFC 3339. */
  readonly time?: string
  /** Number of entries that match, on all pages; null when unknown. */
  readonly matching?: number | null
  readonly hasMore?: boolean
  readonly warnings?: readonly string[]
}

export function dataDocument(data: Json, answered: DocumentMeta, more: JsonObject = {}): JsonObject {
  return { data, meta: metaOf(answered), ...more }
}

/** Writes a document with one error; `parameter` is the part of the URL that has to be mended. */
export function errorDocument(
  error: { readonly status: number; readonly code: number; readonly title: string; readonly detail: string },
  parameter: string | null,
  answered: DocumentMeta,
): JsonObject {
  const { status, code, title, detail } = error
  const source = parameter === null ? {} : { source: { parameter } }
  const errors = [{ status: String(status), code: `_${PROVIDER_PREFIX}_${code}`, title, detail, ...source }]
  return { errors, meta: metaOf(answered) }
}

function metaOf({ representation, time, matching, hasMore = false, warnings = [] }: DocumentMeta): JsonObject {
  return {
    query: { representation },
    api_version: OPTIMADE_VERSION,
    more_data_available: hasMore,
    ...(time === undefined ? {} : { time_stamp: time }),
    ...(matching === null || matching === undefined ? {} : { data_returned: matching }),
    provider: PROVIDER,
    implementation: { name: 'Quarry' },
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(warningOf) }),
  }
}

function warningOf(detail: string): JsonObject {
  return { type: 'warning', detail }
}

const FORM = /^v(\d{1,4})(?:\.\d{1,4}){0,2}$/

/** Refuses the hint at a major version that is not spoken, where the address leaves the version open. */
export function assertHintedVersion(hint: string | undefined): void {
  if (hint === undefined) return
  const major = FORM.exec(hint)?.[1]
  if (major === '1') return
  if (major !== undefined) throw unsupportedVersion(hint)
  const message = `api_hint is a version such as v1 or v1.1, given ${JSON.stringify(clip(hint, 40))}.`
  throw new AppError(OPTIMADE_ERRORS.invalidParameter, message, { path: 'api_hint', hint: 'Write api_hint=v1.' })
}

export function unsupportedVersion(version: string): AppError {
  return new AppError(
    OPTIMADE_ERRORS.unsupportedVersion,
    `Version ${clip(version, 40)} of OPTIMADE is not spoken here. Use /optimade/v1.`,
    { hint: 'Use /optimade/v1.' },
  )
}

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
