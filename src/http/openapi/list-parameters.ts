import type { JsonObject } from '../../kernel/json.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../query/fields/parse-projection.ts'
import type { QueryParameter } from '../exchange/route.ts'
import { type ListedKind, PAGE_PARAMETERS } from '../request/list-request.ts'
import { STRICT_PARAMETER } from '../request/parameters.ts'
import { object, TEXT } from './schemas.ts'

/** A filter as MongoDB writes it; its grammar is the language's, not JSON Schema's. */
export const QUERY: JsonObject = { type: 'object', description: 'A filter in the query language of MongoDB.' }

export const PROJECTION: JsonObject = object(
  {
    sort: { type: ['object', 'array'], description: '{"name":1} or [["name","asc"]]; ties keep insertion order.' },
    skip: { type: 'integer', minimum: 0, default: 0 },
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    after: { type: 'string', description: 'The X-Next-Cursor of the page before; not together with skip.' },
    fields: { type: 'object', description: 'Fields to return ({"name":1}) or to leave out ({"basis":0}).' },
  },
  ['sort', 'skip', 'limit', 'after', 'fields'],
)

/** Parameters of every list; a test compares them with those of the reader. */
export const LIST_QUERY: readonly QueryParameter[] = [
  json('query', 'Which records: a MongoDB filter as JSON.', '{"formula":"Si"}'),
  json('projection', 'Order, page and fields, as JSON.', '{"sort":{"name":1},"limit":10,"fields":{"name":1}}'),
  json('advancedSearches', 'More filters as a JSON array; all hold together with query.', '[{"tags":"sample"}]'),
  equality('id', '_id'),
  equality('name', 'name'),
  equality('slug', 'slug'),
  equality('systemName', 'systemName'),
  equality('exabyteId', 'exabyteId'),
  equality('ownerId', 'owner._id'),
  equality('ownerSlug', 'owner.slug'),
  equality('setId', 'inSet._id'),
  equality('jobId', 'source.info.jobId'),
  { ...equality('isDefault', 'isDefault'), schema: { type: 'boolean' } },
  {
    name: 'isCurated',
    description: 'Only records whose isCurated is true; with false, the others.',
    schema: { type: 'boolean' },
  },
  {
    name: 'hashes',
    description: 'Only records with one of these hashes: texts with commas between them, or a JSON array.',
    schema: TEXT,
    example: 'a665723ef7429caef6ca89385fe25bae',
  },
  {
    name: 'quickSearch',
    description:
      'Only records with all of these words, in upper or lower case and any order, each in name, tags, description or formula.',
    schema: TEXT,
  },
  { name: 'globalSearch', description: 'Only true: lists look in and out of sets anyway.', schema: { const: true } },
  {
    name: 'limit',
    description: 'As projection.limit, which wins.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
  },
  { name: 'skip', description: 'As projection.skip, which wins.', schema: { type: 'integer', minimum: 0 } },
  {
    name: 'sort',
    description: 'One path, with - before it for descending; projection.sort wins.',
    schema: TEXT,
    example: '-createdAt',
  },
  {
    name: 'count',
    description: 'true: how many match in all is told too, in X-Total-Count and as count beside data.',
    schema: { type: 'boolean', default: false },
  },
  STRICT_PARAMETER,
]

/** Parameters about a page of a list, not about its records. */
const PAGE: readonly string[] = [...PAGE_PARAMETERS, 'count']

/** Parameters of a list of one kind of record. */
export function listQuery({ listParameters = [] }: ListedKind): readonly QueryParameter[] {
  return [...LIST_QUERY, ...listParameters.map(({ read: _, ...parameter }) => ({ ...parameter, schema: TEXT }))]
}

/** Parameters of a count: conditions. */
export function countQuery(kind: ListedKind): readonly QueryParameter[] {
  return listQuery(kind).filter(({ name }) => !PAGE.includes(name))
}

/** Parameters of an export: no pages. */
export function exportQuery(kind: ListedKind): readonly QueryParameter[] {
  return [...listQuery(kind).filter(({ name }) => !['limit', 'skip', 'count'].includes(name)), GZIP]
}

/** A table instead of lines. */
export const TABLE_FORMAT: QueryParameter = {
  name: 'format',
  description: 'csv: a table of the fields that columns names, as RFC 4180 has it.',
  schema: { enum: ['csv'] },
}

export const COLUMNS: QueryParameter = {
  name: 'columns',
  description: 'With format=csv: paths of fields with commas between them, in the order of the columns.',
  schema: TEXT,
  example: 'name,formula,lattice.a',
}

const GZIP: QueryParameter = {
  name: 'gzip',
  description: 'Answers with a file that is compressed. Accept-Encoding compresses it on the way only.',
  schema: { type: 'boolean' },
}

function json(name: string, description: string, example: string): QueryParameter {
  return { name, description, schema: { type: 'string', contentMediaType: 'application/json' }, example }
}

function equality(name: string, path: string): QueryParameter {
  return { name, description: `Only records whose ${path} is this.`, schema: TEXT }
}
