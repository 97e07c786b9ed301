import type { FastifyRequest } from 'fastify'
import type { Json } from '../../kernel/json.ts'
import { show } from '../../query/parse/parse-context.ts'
import { invalidField, readFields } from './body.ts'

/** What the body of a search holds. */
export interface SearchBody {
  readonly query: Json | undefined
  readonly projection: Json | undefined
  /** How the query was run is told instead of what it found. */
  readonly explain: boolean
  /** The number of all that match is told too. */
  readonly counts: boolean
}

/** What belongs to a page and stands within `projection`. */
const PAGE_FIELDS: readonly string[] = ['sort', 'skip', 'limit', 'fields', 'after']

/** Reads the body of a search. */
export function readSearchBody(request: FastifyRequest): SearchBody {
  const names = ['query', 'projection', 'explain', 'count'] as const
  const { query, projection, explain = false, count = false } = readFields(request, names, placeInSearch)
  if (typeof explain !== 'boolean') throw invalidField('explain', 'true or false')
  if (typeof count !== 'boolean') throw invalidField('count', 'true or false')
  if (explain && count) throw invalidField('count', 'false beside explain, which tells how a page is found')
  return { query, projection, explain, counts: count }
}

/** Reads the body of a count: a query and nothing else. */
export function readCountBody(request: FastifyRequest): Json | undefined {
  return readFields(request, ['query'], (name, value) =>
    name === 'projection' || PAGE_FIELDS.includes(name)
      ? 'A count has no pages, order or fields: leave it out.'
      : placeInSearch(name, value),
  ).query
}

function placeInSearch(name: string, value: Json): string | null {
  if (PAGE_FIELDS.includes(name)) return `Write it into the projection: {"projection":{"${name}":${show(value)}}}.`
  // Most likely the name of a field of records; what is close to a field of the body is told as that.
  return name.startsWith('$') || name.includes('.') ? `Write it into the query: {"query":{${show(name)}:…}}.` : null
}
