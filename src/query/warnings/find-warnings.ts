import { AppError, assertNever } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { expressionPaths } from '../ast/expression.ts'
import type { AndNode, ExprNode, FieldNode, FieldPath, FilterNode, OrNode, PredicateNode } from '../ast/filter.ts'
import type { FieldsNode, FieldsTree, ListRequest } from '../ast/list-request.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import { outcomeOf, outcomeOfExpression, pathsWithDefault } from './consequence.ts'
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
import { warnOfForgottenDollars } from './forgotten-dollar.ts'
import { type Use, warnOfUnknownField } from './unknown-field.ts'
import {
  kindOfValue,
  warnOfAskedKind,
  warnOfKind,
  warnOfMissingDollar,
  warnOfMissingLogicalDollar,
  warnOfNoNumbers,
} from './value-kind.ts'
import {
  warnOfExactNumber,
  warnOfLooseTruth,
  warnOfSlashes,
  warnOfSpelling,
  warnOfTypesOfNothing,
  warnOfWholeValue,
} from './value-spelling.ts'

/** The part of a request that says which records, in which order, and what of them. */
export type QueryClauses = Pick<ListRequest, 'filter'> & {
  readonly sort?: ListRequest['sort']
  readonly fields?: ListRequest['fields']
  /** False where the query was made of one in another language: no other is proposed in this one. */
  readonly proposes?: boolean
  /** Fields that an answer is made of in another way. */
  readonly reads?: readonly FieldRead[]
}

/** A field of which an answer has the values. */
export interface FieldRead {
  readonly path: FieldPath
  /** Place in the request: `facets[0].path`. */
  readonly place: string
  /** What it is read for: all of its values, its numbers, what there is, to be shown, or to sort by. */
  readonly as: 'values' | 'numbers' | 'any' | 'column' | 'order'
}

const USES: Readonly<Record<FieldRead['as'], Use>> = {
  values: 'values',
  numbers: 'reading',
  any: 'reading',
  column: 'inclusion',
  order: 'sort',
}

const NONE: readonly Warning[] = []

/** Finds what a request probably does not say that was meant; what makes an answer empty only where nothing was found. */
export function findWarnings(
  asked: QueryClauses,
  knowledge: FieldKnowledge | null,
  guide: FieldGuide,
  foundNothing: boolean,
): readonly Warning[] {
  if (knowledge === null) return NONE
  const known = { knowledge, guide, foundNothing }
  const codesOf = (query: JsonObject): ReadonlySet<number> | null => {
    const filter = filterOf(query)
    if (filter === null) return null
    const trial = { ...known, warnings: new WarningList(), only: filter, codesOf: null }
    const found = inquire({ filter }, trial)
    return new Set(found.map(({ code }) => code))
  }
  return inquire(asked, {
    ...known,
    warnings: new WarningList(),
    only: asked.filter,
    codesOf: asked.proposes === false ? null : codesOf,
  })
}

function filterOf(query: JsonObject): FilterNode | null {
  try {
    return parseFilter(query)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function inquire(asked: QueryClauses, inquiry: Inquiry): readonly Warning[] {
  inquireFilter(inquiry, asked.filter, PLAIN)
  if (inquiry.foundNothing) warnOfContradictions(inquiry, asked.filter)
  for (const { path } of asked.sort ?? []) {
    if (isUnknown(inquiry, path.parts)) {
      warnOfUnknownField(inquiry, { parts: path.parts, place: `projection.sort.${path.text}`, use: 'sort' })
    }
  }
  if (asked.fields) inquireFields(inquiry, asked.fields)
  for (const read of asked.reads ?? []) inquireRead(inquiry, read)
  return inquiry.warnings.all
}

function inquireRead(inquiry: Inquiry, { path, place, as }: FieldRead): void {
  const kinds = pathKinds(inquiry.knowledge, path.parts)
  if (kinds === null) return
  if (kinds.size === 0) warnOfUnknownField(inquiry, { parts: path.parts, place, use: USES[as] })
  else if (as === 'numbers')
    warnOfNoNumbers(inquiry, { path: pathWithoutIndexes(path.parts), asked: path.text, place, kinds })
}

/** What a part of a filter is within. */
interface Surroundings {
  readonly isNegated: boolean
  /** The condition on the array whose elements are asked, and the path of that array; null at the level of records. */
  readonly elements: { readonly condition: FieldNode; readonly parts: readonly string[] } | null
}

const PLAIN: Surroundings = { isNegated: false, elements: null }

function inquireFilter(inquiry: Inquiry, node: FilterNode, within: Surroundings): void {
  if (inquiry.warnings.isFull) return
  switch (node.kind) {
    case 'and':
    case 'or':
      for (const clause of conditionsIn(node)) {
        if ('kind' in clause) inquireFilter(inquiry, clause, within)
        else inquireCondition(inquiry, clause, within)
      }
      return
    case 'nor':
      for (const clause of node.clauses) inquireFilter(inquiry, clause, { ...within, isNegated: !within.isNegated })
      return
    case 'field':
      inquireCondition(inquiry, [node], within)
      return
    case 'expr':
      inquireExpression(inquiry, node, within)
      return
    default:
      assertNever(node, 'filter node')
  }
}

/** The clauses of a filter; the predicates of one condition, of which the language makes a clause each, together. */
function conditionsIn({ kind, clauses }: AndNode | OrNode): readonly (FilterNode | readonly FieldNode[])[] {
  if (kind === 'or') return clauses
  const conditions: (FilterNode | FieldNode[])[] = []
  for (const clause of clauses) {
    const last = conditions.at(-1)
    const before = Array.isArray(last) ? last[0] : undefined
    if (clause.kind !== 'field' || clause.place === null) conditions.push(clause)
    else if (before?.place === clause.place) (last as FieldNode[]).push(clause)
    else conditions.push([clause])
  }
  return conditions
}

function inquireExpression(inquiry: Inquiry, node: ExprNode, within: Surroundings): void {
  const { expression, place } = node
  const unknown = [...expressionPaths(expression)].filter((path) => isUnknown(inquiry, path.split('.')))
  if (unknown.length > 0) {
    const outcome = outcomeOfExpression(inquiry.knowledge, node)
    const mayBeMissing = pathsWithDefault(expression)
    for (const path of unknown) {
      const asksForAbsence = outcome === null ? mayBeMissing.has(path) : outcome !== within.isNegated
      const use = asksForAbsence ? 'absence' : 'condition'
      warnOfUnknownField(inquiry, { parts: path.split('.'), place, use }, consequenceOf(outcome, within.isNegated))
    }
  }
  warnOfForgottenDollars(inquiry, node)
}

/** Looks at the predicates of one condition. */
function inquireCondition(
  inquiry: Inquiry,
  conditions: readonly FieldNode[],
  { isNegated, elements }: Surroundings,
): void {
  const [first] = conditions
  if (first === undefined || first.place === null) return
  const parts = [...(elements?.parts ?? []), ...first.path.parts]
  const kinds = pathKinds(inquiry.knowledge, parts)
  if (kinds === null) return
  for (const condition of conditions) {
    const { predicate, place } = condition
    const field: AskedField = {
      path: pathWithoutIndexes(parts),
      asked: parts.join('.'),
      place: place as string,
      kinds,
      condition: elements?.condition ?? condition,
      isNegated,
    }
    if (kinds.size > 0) inquirePredicate(inquiry, field, predicate)
    else if (inquireUnknown(inquiry, field, conditions, elements === null)) return
  }
}

/** Looks at a condition on a field that no record has; tells whether there is no more to say of the predicates beside it. */
function inquireUnknown(
  inquiry: Inquiry,
  field: AskedField,
  conditions: readonly FieldNode[],
  isOfRecords: boolean,
): boolean {
  const [{ written, predicate }] = conditions as [FieldNode]
  if (written === undefined) {
    // A parameter of the address stands for a field that is there by its description.
    if (predicate.operator === '$eq' && typeof predicate.value === 'string')
      warnOfSpelling(inquiry, field, predicate.value)
    return true
  }
  if (warnOfMissingLogicalDollar(inquiry, field)) return true
  const { ofNothing, ofAll } = outcomeOf(inquiry.knowledge, conditions, (conditions[0] as FieldNode).path.parts)
  const use = ofNothing === field.isNegated ? 'condition' : 'absence'
  const consequence = isOfRecords ? consequenceOf(ofAll, field.isNegated) : null
  warnOfUnknownField(inquiry, { parts: field.asked.split('.'), place: field.place, use }, consequence)
  if (predicate.operator === '$eq' && isJsonObject(predicate.value))
    warnOfMissingDollar(inquiry, field, predicate.value)
  return true
}

/** What comes of it, in words; null where it depends on the records. */
function consequenceOf(outcome: boolean | null, isNegated: boolean): string | null {
  if (outcome === null) return null
  if (!isNegated) return `so the condition holds for ${outcome ? 'all' : 'none'} of them`
  return outcome
    ? 'so all of them meet this condition, which is negated'
    : 'so none of them meets this condition, which is negated'
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
        warnOfUnknownField(inquiry, { parts, place: `projection.fields.${parts.join('.')}`, use })
      }
    }
  }
  visit(tree, [])
}

/** Values of a list that are looked at. */
const MOST_VALUES = 20

/** Looks at what is asked of the values of a field that visible records have. */
function inquirePredicate(inquiry: Inquiry, field: AskedField, predicate: PredicateNode): void {
  const below = (one: PredicateNode): void => inquirePredicate(inquiry, field, one)
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
      for (const one of predicate.predicates) inquirePredicate(inquiry, { ...field, isNegated: !field.isNegated }, one)
      return
    case '$all':
      for (const one of predicate.predicates) below(one)
      return
    case '$elemMatch':
      warnOfAskedKind(inquiry, field, '$elemMatch', 'array')
      if (predicate.form === 'value') for (const one of predicate.predicates) below(one)
      else inquireElements(inquiry, field, predicate.filter)
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

function inquireElements(inquiry: Inquiry, { asked, condition, isNegated }: AskedField, filter: FilterNode): void {
  inquireFilter(inquiry, filter, { isNegated, elements: { condition, parts: asked.split('.') } })
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
