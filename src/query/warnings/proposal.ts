import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { WarningSpec } from '../../kernel/warnings.ts'
import type { FieldNode } from '../ast/filter.ts'
import { type EditOperand, editCondition, type OperandEdit } from './edited-condition.ts'
import type { AskedField, Inquiry } from './field-knowledge.ts'

/** Longer conditions are not proposed: a hint is not a large answer. */
const LONGEST_CONDITION = 300

/** The query that an edit makes of a condition, as JSON; null where it makes none, or one that has the same fault. */
export function propose(inquiry: Inquiry, field: AskedField, fault: WarningSpec, edit: EditOperand): string | null {
  const { condition, asked } = field
  if (inquiry.codesOf === null) return null
  const edited = editCondition({ json: writtenOf(condition), path: condition.path.text }, asked, edit)
  return edited === undefined ? null : accepted(inquiry, fault, { [condition.path.text]: edited })
}

/** The same for each of some edits, of which one may be for another path: a condition on one value is moved there. */
export function proposeAny(
  inquiry: Inquiry,
  field: AskedField,
  fault: WarningSpec,
  edits: readonly PathEdit[],
): string | null {
  const { condition } = field
  const proposed = edits.flatMap(({ path, edit }) => {
    if (path === undefined) return propose(inquiry, field, fault, edit) ?? []
    if (condition.path.text !== field.asked || !isOfOneText(writtenOf(condition))) return []
    const moved = { ...condition, path: { text: path, parts: path.split('.') }, written: writtenOf(condition) }
    return propose(inquiry, { ...field, asked: path, condition: moved }, fault, edit) ?? []
  })
  return proposed.length === 0 ? null : proposed.join(' or ')
}

export interface PathEdit {
  readonly path?: string | undefined
  readonly edit: EditOperand
}

function isOfOneText(written: Json): boolean {
  if (typeof written === 'string') return true
  if (!isJsonObject(written)) return false
  const [first, ...others] = Object.entries(written)
  return first !== undefined && others.length === 0 && ['$eq', '$ne'].includes(first[0]) && typeof first[1] === 'string'
}

/** A query as JSON, where it is accepted and has no such fault any more. */
export function accepted(inquiry: Inquiry, fault: WarningSpec, query: JsonObject): string | null {
  const text = JSON.stringify(query)
  if (text.length > LONGEST_CONDITION) return null
  const codes = inquiry.codesOf?.(query) ?? null
  return codes === null || codes.has(fault.code) ? null : text
}

/** What the client wrote at the field; where a parameter stands for the condition, its value. */
export function writtenOf({ written, predicate }: FieldNode): Json {
  return written === undefined && predicate.operator === '$eq' ? predicate.value : (written ?? null)
}

/** Makes an edit of what is to be asked for. */
export function editTo(operand: Json): OperandEdit {
  const isOperators = isJsonObject(operand) && Object.keys(operand).some((key) => key.startsWith('$'))
  return isOperators ? { operators: operand } : { value: operand }
}
