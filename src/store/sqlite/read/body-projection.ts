import type { FieldsNode, FieldsTree } from '../../../query/ast/fields.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { joinSql, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { isPlainName, pathOf } from './body-path.ts'
import type { BodyText } from './body-text.ts'
import { keyOrder } from './key-order.ts'
import type { Reader } from './reader.ts'

/** More fields than this are faster read from the whole text. */
const MOST_FIELDS = 24

/** Finds how SQLite writes what `fields` leaves of documents; null when only parsing can tell, whatever the document. */
export function bodyProjection(reader: Reader, plan: QueryPlan): BodyText | null {
  const { fields } = plan
  if (fields === null || fields.positional !== null || fields.tree.size > MOST_FIELDS) return null
  if (![...fields.tree.keys()].every(isPlainName)) return null
  return fields.mode === 'exclusion' ? withoutFields(fields) : onlyFields(reader, plan.collection, fields)
}

function withoutFields({ tree }: FieldsNode): BodyText | null {
  if (![...tree.values()].every(({ kind }) => kind === 'exclude')) return null
  const paths = [...tree.keys()].map((key) => sql`${pathOf([key])}`)
  return { text: sql`json(jsonb_remove(body.doc, ${joinSql(paths, ', ')}))`, open: '[', between: ',', close: ']' }
}

/** The braces of the documents are written with what is between them: that saves making each text anew. */
function onlyFields(reader: Reader, collectionName: string, { tree }: FieldsNode): BodyText | null {
  const collection = reader.names.collection(collectionName)
  const kept = [...tree].filter(([, node]) => node.kind !== 'exclude').map(([key]) => key)
  const order = collection === null ? null : keyOrder(reader, collection, kept)
  const text = order === null ? null : membersOf(order, tree)
  return text === null ? null : { text, open: '[{', between: '},{', close: '}]' }
}

/** The members of a document, with commas between them. */
function membersOf(order: readonly string[], tree: FieldsTree): SqlFragment | null {
  const members = order.map((key) => memberOf(key, tree, [key]))
  if (members.some((member) => member === null)) return null
  if (members.length === 0) return sql`''`
  return sql`substr(${joinSql(members as SqlFragment[], ' || ')}, 2)`
}

/** A member with a comma before it; nothing where the document has none. */
function memberOf(key: string, tree: FieldsTree, path: readonly string[]): SqlFragment | null {
  const node = tree.get(key)
  if (node === undefined || !isPlainName(key)) return null
  const name = `,"${key}":`
  const at = pathOf(path)
  if (node.kind === 'include') return sql`coalesce(${name} || (body.doc -> ${at}), '')`
  if (node.kind !== 'branch' || node.children.size !== 1) return null
  const [child] = node.children.keys() as Iterable<string>
  if (child === undefined) return null
  const inside = memberOf(child, node.children, [...path, child])
  if (inside === null) return null
  // Of an array, every element is projected: that is left to whoever parses. Where the path leads to a value, it leads through none.
  const ifObject = sql`${name} || '{' || substr(${inside}, 2) || '}'`
  const byType = sql`CASE json_type(body.doc, ${at}) WHEN 'object' THEN ${ifObject} WHEN 'array' THEN NULL ELSE '' END`
  return node.children.get(child)?.kind === 'include'
    ? sql`coalesce(${`${name}{"${child}":`} || (body.doc -> ${pathOf([...path, child])}) || '}', ${byType})`
    : byType
}
