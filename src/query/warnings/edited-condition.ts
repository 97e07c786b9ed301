import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { holdsOperators } from '../filter/parse-filter.ts'
import { isLogicalOperator } from '../filter/registry.ts'

/** What stands in place of an operand: another one, or operators that stand in place of its own. */
export type OperandEdit = { readonly value: Json } | { readonly operators: JsonObject }

/** Tells what is to stand in place of an operand; null: it stays. */
export type EditOperand = (operand: Json, operator: string) => OperandEdit | null

/** Operators whose operand is a value, or is edited as one. */
const OF_VALUES: ReadonlySet<string> = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$exists', '$regex'])
const OF_LISTS: ReadonlySet<string> = new Set(['$in', '$nin', '$all'])

/** A condition as a client wrote it, and the path of what it is asked about, which `$elemMatch` may lead further. */
interface Written {
  readonly json: Json
  readonly path: string
}

/** Edits the operands of a condition that are asked of a path, and keeps its operators; undefined where an edit has no place in it. */
export function editCondition({ json, path }: Written, asked: string, edit: EditOperand): Json | undefined {
  if (isJsonObject(json) && holdsOperators(json)) return editOperators({ json, path }, asked, edit)
  if (path !== asked) return json
  const edited = edit(json, '$eq')
  if (edited === null) return json
  return 'value' in edited ? edited.value : edited.operators
}

function editOperators({ json, path }: Written, asked: string, edit: EditOperand): Json | undefined {
  let edited: JsonObject = {}
  for (const [operator, operand] of Object.entries(json as JsonObject)) {
    const replaced = editOperator({ json: operand, path }, operator, asked, edit)
    if (replaced === undefined) return undefined
    const joined = join(edited, replaced)
    if (joined === undefined) return undefined
    edited = joined
  }
  return edited
}

/** Puts operators beside others; undefined where both have one, but the options of a pattern, which add up. */
function join(some: JsonObject, others: JsonObject): JsonObject | undefined {
  const options = [some, others].map((one) => ownField(one, '$options')).filter((one) => typeof one === 'string')
  const isTwice = Object.keys(others).some((name) => name !== '$options' && Object.hasOwn(some, name))
  if (isTwice) return undefined
  return { ...some, ...others, ...(options.length < 2 ? {} : { $options: [...new Set(options.join(''))].join('') }) }
}

function editOperator(written: Written, operator: string, asked: string, edit: EditOperand): JsonObject | undefined {
  const { json, path } = written
  const under = (operand: Json | undefined): JsonObject | undefined =>
    operand === undefined ? undefined : { [operator]: operand }
  if (operator === '$not') return under(editCondition(written, asked, edit))
  if (operator === '$elemMatch') return under(editElements(written, asked, edit))
  if (path !== asked) return { [operator]: json }
  if (OF_LISTS.has(operator) && isJsonArray(json)) return under(editList(written, operator, edit))
  const edited = OF_VALUES.has(operator) ? edit(json, operator) : null
  if (edited === null) return { [operator]: json }
  return 'value' in edited ? { [operator]: edited.value } : inPlaceOf(operator, edited.operators)
}

/** Operators in place of one: what was equal to a value, or not. */
function inPlaceOf(operator: string, operators: JsonObject): JsonObject | undefined {
  if (operator === '$eq' || operator === '$regex') return operators
  if (operator !== '$ne') return undefined
  const [name, ...others] = Object.keys(operators)
  return name === '$in' && others.length === 0 ? { $nin: operators.$in as Json } : { $not: operators }
}

/** A list may have patterns among its values, and takes the values of a list within it. */
function editList({ json, path }: Written, operator: string, edit: EditOperand): Json | undefined {
  const items: Json[] = []
  for (const item of json as readonly Json[]) {
    const elements = isJsonObject(item) ? ownField(item, '$elemMatch') : undefined
    const edited = elements === undefined ? edit(item, operator) : null
    if (elements !== undefined) {
      const within = editElements({ json: elements, path }, path, edit)
      if (within === undefined) return undefined
      items.push({ $elemMatch: within })
    } else if (edited === null) items.push(item)
    else if ('value' in edited) items.push(edited.value)
    else if (Object.hasOwn(edited.operators, '$regex')) items.push(edited.operators)
    else if (isJsonArray(edited.operators.$in) && operator !== '$all') items.push(...edited.operators.$in)
    else return undefined
  }
  return items
}

/** The operand of `$elemMatch`: operators on an element, or a filter on the fields of one. */
function editElements({ json, path }: Written, asked: string, edit: EditOperand): Json | undefined {
  if (!isJsonObject(json)) return json
  const edited: Record<string, Json> = {}
  for (const [key, operand] of Object.entries(json)) {
    if (key.startsWith('$') && !isLogicalOperator(key)) return editOperators({ json, path }, asked, edit)
    const replaced = isLogicalOperator(key)
      ? editClauses({ json: operand, path }, asked, edit)
      : editCondition({ json: operand, path: `${path}.${key}` }, asked, edit)
    if (replaced === undefined) return undefined
    edited[key] = replaced
  }
  return edited
}

function editClauses({ json, path }: Written, asked: string, edit: EditOperand): Json | undefined {
  if (!isJsonArray(json)) return json
  const clauses = json.map((clause) => editElements({ json: clause, path }, asked, edit))
  return clauses.includes(undefined) ? undefined : (clauses as readonly Json[])
}
