import { assertNever } from '../../kernel/errors.ts'
import type { FieldNode, FilterNode, PredicateNode, PredicateOperator } from '../ast/filter.ts'
import type { NarrowSpot, Operator } from '../operators/operator.ts'
import { OPERATORS } from '../operators/registry.ts'
import { arrayIndexOf } from '../paths/array-index.ts'
import { NESTED_ARRAY } from './index-variants.ts'
import type { Narrowing } from './narrowing.ts'
import { ANYTHING, allOf, anyOf } from './narrowings.ts'

/** Says which documents can match a filter, in terms of the leaf index: perhaps too many, never too few. */
export function narrow(filter: FilterNode): Narrowing {
  return narrowWithin(filter, [])
}

/** Narrows a filter that is asked of the elements of arrays at `prefix`; of documents when that is empty. */
function narrowWithin(filter: FilterNode, prefix: readonly string[]): Narrowing {
  switch (filter.kind) {
    case 'and':
      return allOf(filter.clauses.map((clause) => narrowWithin(clause, prefix)))
    case 'or':
      return anyOf(filter.clauses.map((clause) => narrowWithin(clause, prefix)))
    case 'field':
      return narrowField(filter, prefix)
    case 'nor':
    case 'expr':
      return ANYTHING
    default:
      return assertNever(filter, 'filter')
  }
}

function narrowField({ path, predicate }: FieldNode, prefix: readonly string[]): Narrowing {
  // An element that is itself an array is asked like a document: an index then leads to a depth that varies.
  if (prefix.length > 0 && arrayIndexOf(path.parts[0] as string) >= 0) return ANYTHING
  const parts = [...prefix, ...path.parts]
  return narrowPredicate(predicate, spotAt(parts, parts))
}

function spotAt(parts: readonly string[], elementParts: readonly string[]): NarrowSpot {
  const spot: NarrowSpot = {
    parts,
    elementParts,
    predicate: (predicate) => narrowPredicate(predicate, spot),
    ofElement: (predicate) => narrowPredicate(predicate, spotAt(elementParts, [...elementParts, NESTED_ARRAY])),
    filter: (filter) => narrowWithin(filter, elementParts),
  }
  return spot
}

function narrowPredicate(predicate: PredicateNode, spot: NarrowSpot): Narrowing {
  // The registry's type has paired each name with its own operator.
  const operator = OPERATORS[predicate.operator] as unknown as Operator<PredicateOperator>
  return operator.narrow(predicate, spot)
}
