import type { Collection, Column, FacetChoice } from '../pages/materials/collections.ts'
import { TAG_FACET, TAGS, UPDATED } from '../pages/materials/collections.ts'
import { type Kind, manyOf, oneOf } from './kind.ts'
import { isScalar, labelOf, resolved, type SchemaNode, typeOf } from './node.ts'

/** What every kind has, and shows in its own way. */
const COMMON: ReadonlySet<string> = new Set(['name', 'tags', 'description', 'isPublic', 'owner'])
/** Columns beside the name, and filters beside tags. */
const MOST_COLUMNS = 6
const MOST_FACETS = 8

interface ScalarField {
  readonly path: string
  readonly title: string
  readonly unit: string | undefined
  readonly node: SchemaNode
}

/** What the pages say of a kind of record, by its schema. */
export function collectionOf(kind: Kind): Collection {
  const fields = scalarsOf(kind)
  return {
    name: kind.collection,
    help: kind.collection === 'methods' ? 'methods' : 'records',
    title: manyOf(kind),
    one: oneOf(kind),
    columns: [{ path: 'name', title: 'Name' }, ...fields.slice(0, MOST_COLUMNS).map(columnOf), TAGS, UPDATED],
    facets: [...fields.flatMap(facetsOf).slice(0, MOST_FACETS), TAG_FACET],
    hasElements: false,
    searched: 'Words, field > 3 or {query}',
    words: fields.filter(({ node }) => typeOf(node) === 'string').map(({ path }) => path),
    isMadeByHand: true,
  }
}

/** The fields of a kind that are ids of other records, with their collections. */
export function referencesIn(kind: Kind): ReadonlyMap<string, string> {
  return new Map(
    scalarsOf(kind).flatMap(({ path, node: { references } }) => (references === undefined ? [] : [[path, references]])),
  )
}

/** Its fields that are one value, those that every record has first. */
function scalarsOf({ schema, units }: Kind): readonly ScalarField[] {
  const { properties = {}, required = [] } = resolved(schema, schema, {})
  const fields = Object.entries(properties).flatMap(([path, given]) => {
    const node = resolved(given, schema, undefined)
    if (COMMON.has(path) || !isScalar(typeOf(node))) return []
    return [{ path, title: labelOf(path, node), unit: units[path] ?? node.unit, node }]
  })
  const isRequired = ({ path }: ScalarField) => required.includes(path)
  return [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))]
}

function columnOf({ path, title, unit }: ScalarField, index: number): Column {
  return { path, title, ...(unit === undefined ? {} : { unit }), ...(index < 2 ? {} : { isMinor: true }) }
}

/** Ids and days are not chosen from a list. */
function facetsOf({ path, title, unit, node }: ScalarField): readonly FacetChoice[] {
  if (node.references !== undefined || node.format !== undefined) return []
  const named = { path, title, ...(unit === undefined ? {} : { unit }) }
  const type = typeOf(node)
  if (type === 'number' || type === 'integer') return [{ ...named, scale: 'linear' }]
  if (type === 'boolean') return [{ ...named, wordsOf: (value) => (value === 'true' ? 'yes' : 'no') }]
  return [node.enum === undefined ? { ...named, isFreeText: true } : named]
}
