import { assertNever } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import { type ExpressionNode, expressionPaths, nodesWithin } from '../ast/expression.ts'
import type { ExprNode, FieldNode, FieldPath, FilterNode, PredicateNode } from '../ast/filter.ts'
import type { FieldsNode, FieldsTree, ListRequest } from '../ast/list-request.ts'
import { warnOfContradictions } from './contradictions.ts'
import {
  type AskedField,
  type FieldGuide,
  type FieldKnowledge,
  type Inquiry,
  pathKinds,
  pathWithoutIndexes,
  WarningList,
} from './field-knowledge.ts'
import { warnOfUnknownField } from './unknown-field.ts'
import {
  kindOfValue,
  warnOfAskedKind,
  warnOfKind,
  warnOfMissingDollar,
  warnOfMissingLogicalDollar,
} from './value-kind.ts'
import {
  warnOfExactNumber,
  warnOfLooseTruth,
  warnOfSlashes,
  warnOfSpelling,
  warnOfTypesOfNothing,
  warnOfWholeValue,
} from './value-spelling.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** The operators that compare two values. */
const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp']

/** The texts that an expression compares with nothing but constants: `{"$gt":["nSites",2]}` asks nothing of a document. */
export function comparedConstants(expression: ExpressionNode): readonly string[] {
  return [...nodesWithin(expression)].flatMap((node) => {
    if (node.kind !== 'call' || !COMPARISONS.includes(node.operator)) return []
    const constants = node.args.flatMap((arg) => (arg.kind === 'literal' ? [arg.value] : []))
    return constants.length === node.args.length ? constants.filter((value) => typeof value === 'string') : []
  })
}

/** The part of a request that says which records, in which order, and what of them. */
export interface QueryClauses extends Pick<ListRequest, 'filter' | 'sort' | 'fields'> {
  /** Fields whose values are asked for. */
  readonly paths?: readonly { readonly path: FieldPath; readonly place: string }[]
}

/** Every record has one, so that whoever sees none of it sees no record. */
const FIELD_OF_ALL = '_id'

const NONE: readonly Warning[] = []

/** Finds what a request probably does not say that was meant; what makes an answer empty only where nothing was found. */
export function findWarnings(
  asked: QueryClauses,
  knowledge: FieldKnowledge | null,
  guide: FieldGuide,
  foundNothing: boolean,
): readonly Warning[] {
  if (knowledge === null) return NONE
  const hasRecords = knowledge.kindsAt(FIELD_OF_ALL)?.size !== 0
  const inquiry: Inquiry = { knowledge, guide, warnings: new WarningList(), hasRecords, foundNothing }
  inquireFilter(inquiry, asked.filter, [], true)
  if (foundNothing) warnOfContradictions(inquiry, asked.filter)
  for (const { path } of asked.sort) {
    if (isUnknown(inquiry, path.parts)) warnOfUnknownField(inquiry, path.parts, `projection.sort.${path.text}`, 'sort')
  }
  for (const { path, place } of asked.paths ?? []) {
    if (isUnknown(inquiry, path.parts)) warnOfUnknownField(inquiry, path.parts, place, 'values')
  }
  if (asked.fields !== null) inquireFields(inquiry, asked.fields)
  return inquiry.warnings.all
}

/** `wanted` is false within an odd number of negations; `above` is the path of the array whose elements are asked. */
function inquireFilter(inquiry: Inquiry, node: FilterNode, above: readonly string[], wanted: boolean): void {
  if (inquiry.warnings.isFull) return
  switch (node.kind) {
    case 'and':
    case 'or':
      for (const clause of node.clauses) inquireFilter(inquiry, clause, above, wanted)
      return
    case 'nor':
      for (const clause of node.clauses) inquireFilter(inquiry, clause, above, !wanted)
      return
    case 'field':
      inquireField(inquiry, node, above, wanted)
      return
    case 'expr':
      inquireExpression(inquiry, node)
      return
    default:
      assertNever(node, 'filter node')
  }
}

function inquireExpression(inquiry: Inquiry, { expression, place }: ExprNode): void {
  for (const path of expressionPaths(expression)) {
    const parts = path.split('.')
    if (isUnknown(inquiry, parts)) warnOfUnknownField(inquiry, parts, place, 'condition')
  }
  for (const text of comparedConstants(expression)) {
    if ((inquiry.knowledge.kindsAt(text)?.size ?? 0) === 0) continue
    const message = `"${text}" at ${place} is a text, and is compared as one: the same for every record.`
    inquiry.warnings.add(text, warning(QUERY_WARNINGS.looseOperand, place, message, `The field is "$${text}".`))
  }
}

function inquireField(inquiry: Inquiry, node: FieldNode, above: readonly string[], wanted: boolean): void {
  const { path, predicate, place } = node
  if (place === null) return
  const parts = above.length === 0 ? path.parts : [...above, ...path.parts]
  const kinds = pathKinds(inquiry.knowledge, parts)
  if (kinds === null) return
  if (kinds.size === 0) {
    if (warnOfMissingLogicalDollar(inquiry, parts, place, predicate)) return
    warnOfUnknownField(inquiry, parts, place, asksForPresence(predicate) === wanted ? 'condition' : 'absence')
    if (predicate.operator === '$eq' && isJsonObject(predicate.value)) {
      warnOfMissingDollar(inquiry, { path: parts.join('.'), place }, predicate.value)
    }
    return
  }
  const field = { path: pathWithoutIndexes(parts), place, kinds }
  inquirePredicate(inquiry, field, predicate, (filter) => inquireFilter(inquiry, filter, parts, wanted))
}

/** Tells whether a record has to have the field for the condition to hold. */
function asksForPresence(predicate: PredicateNode): boolean {
  switch (predicate.operator) {
    case '$not':
      return !predicate.predicates.every(asksForPresence)
    case '$exists':
      return predicate.exists
    case '$eq':
    case '$gte':
    case '$lte':
      return predicate.value !== null
    case '$in':
      return !predicate.values.includes(null)
    default:
      return true
  }
}

function isUnknown(inquiry: Inquiry, parts: readonly string[]): boolean {
  return pathKinds(inquiry.knowledge, parts)?.size === 0
}

function inquireFields(inquiry: Inquiry, { mode, tree }: FieldsNode): void {
  const visit = (branch: FieldsTree, above: readonly string[]): void => {
    for (const [name, node] of branch) {
      const parts = [...above, name]
      if (node.kind === 'branch') visit(node.children, parts)
      else if (isUnknown(inquiry, parts)) {
        const use = mode === 'exclusion' && node.kind === 'exclude' ? 'exclusion' : 'inclusion'
        warnOfUnknownField(inquiry, parts, `projection.fields.${parts.join('.')}`, use)
      }
    }
  }
  visit(tree, [])
}

/** Values of a list that are looked at. */
const MOST_VALUES = 20

/** Looks at what is asked of the values of a field that visible records have. `inElements` looks at a filter on the elements of an array. */
export function inquirePredicate(
  inquiry: Inquiry,
  field: AskedField,
  predicate: PredicateNode,
  inElements: (filter: FilterNode) => void,
): void {
  const below = (one: PredicateNode): void => inquirePredicate(inquiry, field, one, inElements)
  switch (predicate.operator) {
    case '$eq':
      inquireEqual(inquiry, field, predicate.value)
      return
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      inquireOrder(inquiry, field, predicate.operator, predicate.value)
      return
    case '$in':
      inquireList(inquiry, field, predicate.values, predicate.patterns.length > 0)
      return
    case '$not':
    case '$all':
      for (const one of predicate.predicates) below(one)
      return
    case '$elemMatch':
      warnOfAskedKind(inquiry, field, '$elemMatch', 'array')
      if (predicate.form === 'object') inElements(predicate.filter)
      else for (const one of predicate.predicates) below(one)
      return
    case '$size':
      warnOfAskedKind(inquiry, field, '$size', 'array')
      return
    case '$regex':
      warnOfAskedKind(inquiry, field, '$regex', 'string')
      warnOfSlashes(inquiry, field, predicate.pattern)
      return
    case '$exists':
      warnOfLooseTruth(inquiry, field, predicate)
      return
    case '$type':
      warnOfTypesOfNothing(inquiry, field, predicate)
      return
    case '$mod':
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      warnOfAskedKind(inquiry, field, predicate.operator, 'number')
      return
    default:
      // An operator without a case here does not compile: it says what of an operand is probably not meant, or nothing.
      predicate satisfies never
  }
}

function inquireEqual(inquiry: Inquiry, field: AskedField, value: Json): void {
  if (warnOfKind(inquiry, field, '$eq', value)) return
  if (typeof value === 'string') warnOfSpelling(inquiry, field, value)
  else if (!inquiry.foundNothing) return
  else if (typeof value === 'number') warnOfExactNumber(inquiry, field, value)
  else if (isJsonArray(value) || isJsonObject(value)) warnOfWholeValue(inquiry, field, value)
}

function inquireOrder(inquiry: Inquiry, field: AskedField, operator: string, value: Json): void {
  if (warnOfKind(inquiry, field, operator, value)) return
  // Times are the only texts compared by order that have one form.
  if (typeof value === 'string' && inquiry.guide.instants.has(field.path)) warnOfSpelling(inquiry, field, value)
}

/** One value of the right type is enough: a list may well be made for several kinds of values. */
function inquireList(inquiry: Inquiry, field: AskedField, values: readonly Json[], hasPatterns: boolean): void {
  if (hasPatterns || values.length === 0) return
  const fits = (value: Json): boolean => value === null || field.kinds.has(kindOfValue(value))
  if (!values.some(fits)) warnOfKind(inquiry, field, '$in', values[0] as Json)
  else {
    for (const value of values.slice(0, MOST_VALUES)) {
      if (typeof value === 'string') warnOfSpelling(inquiry, field, value)
    }
  }
}
