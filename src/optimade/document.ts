import { AppError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { VERSION } from '../kernel/project-files.ts'
import { clip } from '../query/context.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import { STRUCTURE_PROPERTIES, STRUCTURES } from './properties.ts'
import { PROVIDER_PREFIX, type Property } from './property.ts'

/** The newest version of the specification that is spoken, and the address of the API below the server's. */
const OPTIMADE_VERSION = '1.3.0'
export const OPTIMADE_ROOT = '/optimade'

/** First components below the root that name a version, and the version that answers there; without one, the newest does. */
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ['v1', OPTIMADE_VERSION],
  ...[OPTIMADE_VERSION, '1.2.0', '1.1.0'].flatMap((version) => [
    [`v${version.slice(0, version.lastIndexOf('.'))}`, version] as const,
    [`v${version}`, version] as const,
  ]),
])
export const VERSION_SEGMENTS: readonly string[] = [...VERSIONS.keys()]

const LOOKS_LIKE_VERSION = /^v\d/

export interface OptimadeAddress {
  /** `/optimade/v1`, or `/optimade` for what is asked without a version. */
  readonly base: string
  /** Path below `base`, with the query: `/structures?filter=nelements=2`. */
  readonly representation: string
  readonly isVersioned: boolean
  /** Of the specification. */
  readonly version: string
}

export function optimadeAddress(target: string): OptimadeAddress {
  const [first] = segmentsOf(target)
  const version = VERSIONS.get(first ?? '')
  const base = version === undefined ? OPTIMADE_ROOT : `${OPTIMADE_ROOT}/${first}`
  const representation = target.slice(base.length)
  return { base, representation, isVersioned: version !== undefined, version: version ?? OPTIMADE_VERSION }
}

export function isOptimadeTarget(target: string): boolean {
  const next = target[OPTIMADE_ROOT.length]
  return target.startsWith(OPTIMADE_ROOT) && (next === undefined || next === '/' || next === '?')
}

/** The version that a target asks for when it is none that there is, else null. */
export function foreignOptimadeVersion(target: string): string | null {
  const [first = ''] = segmentsOf(target)
  return LOOKS_LIKE_VERSION.test(first) && !VERSIONS.has(first) ? first : null
}

function segmentsOf(target: string): readonly string[] {
  return target.slice(OPTIMADE_ROOT.length + 1).split(/[/?]/)
}

/** Who serves, as documents tell it; what is empty is not told. */
export interface Identity {
  readonly providerName: string
  readonly providerDescription: string
  /** Address of a page about the provider. */
  readonly providerHomepage: string
  /** Address of mail to whoever runs the server. */
  readonly maintainerEmail: string
  /** Address of a page where faults are told. */
  readonly issueTrackerUrl: string
  /** Address of the source that the server runs. */
  readonly sourceUrl: string
}

export const DEFAULT_IDENTITY: Identity = {
  providerName: 'Quarry',
  providerDescription: 'A self-hosted server of materials and methods.',
  providerHomepage: '',
  maintainerEmail: '',
  issueTrackerUrl: '',
  sourceUrl: '',
}

/** Statements of a document about its request. */
export interface DocumentMeta {
  readonly identity: Identity
  readonly representation: string
  /** Version of the specification by which is answered. */
  readonly version: string
  /** RFC 3339. */
  readonly time?: string
  /** Number of entries that match, on all pages; null when unknown. */
  readonly matching?: number | null
  /** Number of all entries of the endpoint; null when unknown. */
  readonly available?: number | null
  readonly hasMore?: boolean
  readonly warnings?: readonly string[]
}

/** A document around data that is JSON already, in pieces. */
export function dataDocument(
  data: string | Buffer,
  answered: DocumentMeta,
  more: JsonObject = {},
): readonly (string | Buffer)[] {
  return ['{"data":', data, `,${JSON.stringify({ meta: metaOf(answered), ...more }).slice(1)}`]
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

function metaOf(told: DocumentMeta): JsonObject {
  const { identity, representation, version, time, matching, available, hasMore = false, warnings = [] } = told
  const { maintainerEmail, issueTrackerUrl, sourceUrl } = identity
  return {
    query: { representation },
    api_version: version,
    schema: `https://schemas.optimade.org/openapi/v${version.slice(0, version.lastIndexOf('.'))}/optimade.json`,
    more_data_available: hasMore,
    ...(time === undefined ? {} : { time_stamp: time }),
    ...(matching === null || matching === undefined ? {} : { data_returned: matching }),
    ...(available === null || available === undefined ? {} : { data_available: available }),
    provider: providerOf(identity),
    implementation: {
      name: 'Quarry',
      version: VERSION,
      ...(sourceUrl === '' ? {} : { source_url: sourceUrl }),
      ...(maintainerEmail === '' ? {} : { maintainer: { email: maintainerEmail } }),
      ...(issueTrackerUrl === '' ? {} : { issue_tracker: issueTrackerUrl }),
    },
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(warningOf) }),
  }
}

function providerOf({ providerName, providerDescription, providerHomepage }: Identity): JsonObject {
  const homepage = providerHomepage === '' ? {} : { homepage: providerHomepage }
  return { name: providerName, description: providerDescription, prefix: PROVIDER_PREFIX, ...homepage }
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

/** Describes the API; `base` is where the client reaches the root of the server, `spoken` the version that answers. */
export function baseInfo(base: string, spoken: string): JsonObject {
  return {
    type: 'info',
    id: '/',
    attributes: {
      api_version: spoken,
      available_api_versions: [...VERSIONS].map(([segment, version]) => ({
        url: `${base}${OPTIMADE_ROOT}/${segment}/`,
        version,
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
export function links(base: string, { providerName, providerDescription, providerHomepage }: Identity): Json {
  return [
    {
      type: 'links',
      id: 'quarry',
      attributes: {
        name: providerName,
        description: providerDescription,
        base_url: `${base}${OPTIMADE_ROOT}`,
        homepage: providerHomepage === '' ? null : providerHomepage,
        link_type: 'root',
      },
    },
  ]
}

function describe({ description, type, unit, queryable }: Property): JsonObject {
  const sortable = queryable.sortPath !== undefined
  return { description, type, ...(unit === undefined ? {} : { unit }), sortable }
}

/** The page at the addresses that programs put their endpoints behind, for the people who open one. */
export function landingPage(base: string, { providerName, providerDescription }: Identity): string {
  const root = `${base}${OPTIMADE_ROOT}/v1`
  const row = (path: string, text: string): string => {
    const address = escapeHtml(`${root}${path}`)
    return `<li><a href="${address}">${address}</a>: ${text}</li>`
  }
  return `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>OPTIMADE API of ${escapeHtml(providerName)}</title>
<h1>OPTIMADE API of ${escapeHtml(providerName)}</h1>
<p>${escapeHtml(providerDescription)}</p>
<p>This is the address of an API for programs that speak <a href="https://www.optimade.org">OPTIMADE</a>: give them <code>${escapeHtml(`${base}${OPTIMADE_ROOT}`)}</code>. Public structures are open to everyone.</p>
<ul>
${row('/info', 'what there is')}
${row('/info/structures', 'the properties of structures')}
${row('/structures?page_limit=5', 'structures')}
${row('/structures?filter=elements%20HAS%20ALL%20%22O%22,%22Ti%22%20AND%20nelements=2', 'those of two elements, oxygen and titanium')}
</ul>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
