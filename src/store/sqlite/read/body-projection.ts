import type { FieldsNode, FieldsTree } from '../../../query/ast/fields.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { joinSql, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { isPlainName, pathOf } from './body-path.ts'
import { keyOrder } from './key-order.ts'
import type { Reader } from './reader.ts'

/** More fields than this are faster read from the whole text. */
const MOST_FIELDS = 24

/**
 * Writes what `fields` leaves of a document as an SQL expression over `body.doc`; null when only parsing can tell. Where
 * the expression is null, so is the answer for that document.
 */
export function bodyProjection(reader: Reader, plan: QueryPlan): SqlFragment | null {
  const { fields } = plan
  if (fields === null || fields.positional !== null || fields.tree.size > MOST_FIELDS) return null
  if (![...fields.tree.keys()].every(isPlainName)) return null
  return fields.mode === 'exclusion' ? withoutFields(fields) : onlyFields(reader, plan.collection, fields)
}

function withoutFields({ tree }: FieldsNode): SqlFragment | null {
  if (![...tree.values()].every(({ kind }) => kind === 'exclude')) return null
  const paths = [...tree.keys()].map((key) => sql`${pathOf([key])}`)
  return sql`json(jsonb_remove(body.doc, ${joinSql(paths, ', ')}))`
}

function onlyFields(reader: Reader, collectionName: string, { tree }: FieldsNode): SqlFragment | null {
  const collection = reader.names.collection(collectionName)
  const kept = [...tree].filter(([, node]) => node.kind !== 'exclude').map(([key]) => key)
  const order = collection === null ? null : keyOrder(reader, collection, kept)
  return order === null ? null : objectOf(order, tree, [])
}

/** The members of an object, each with a comma before it, but for the first. */
function objectOf(order: readonly string[], tree: FieldsTree, path: readonly string[]): SqlFragment | null {
  const members = order.map((key) => memberOf(key, tree, [...path, key]))
  if (members.some((member) => member === null)) return null
  if (members.length === 0) return sql`'{}'`
  return sql`'{' || substr(${joinSql(members as SqlFragment[], ' || ')}, 2) || '}'`
}

function memberOf(key: string, tree: FieldsTree, path: readonly string[]): SqlFragment | null {
  const node = tree.get(key)
  if (node === undefined || !isPlainName(key)) return null
  const name = `,"${key}":`
  const at = pathOf(path)
  if (node.kind === 'include') return sql`coalesce(${name} || (body.doc -> ${at}), '')`
  if (node.kind !== 'branch' || node.children.size > 1) return null
  const inside = objectOf([...node.children.keys()], node.children, path)
  if (inside === null) return null
  // Of an array, every element is projected: that is left to whoever parses.
  return sql`CASE json_type(body.doc, ${at}) WHEN 'object' THEN ${name} || ${inside} WHEN 'array' THEN NULL ELSE '' END`
}
