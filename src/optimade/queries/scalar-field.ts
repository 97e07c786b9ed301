import type { FilterNode } from '../../query/ast/filter.ts'
import type { ParseContext } from '../../query/parse/parse-context.ts'
import { parseTextPattern } from '../../query/patterns/parse-pattern.ts'
import type { TextForm } from '../filter/expression.ts'
import type { Constant } from '../filter/token.ts'
import { comparison, EVERYTHING, field, isPresent } from './filters.ts'
import type { Queryable, ScalarType } from './queryable.ts'
import { readConstant } from './read-constant.ts'

/** A property that is one field of the record; `always` where every structure has it. */
export function scalarField(path: string, type: ScalarType, always: 'always' | 'perhaps'): Queryable {
  const queryable: Queryable = {
    known: always === 'always' ? EVERYTHING : isPresent(path),
    sortPath: path,
    compare: (sign, constant) => field(path, comparison(sign, readConstant(constant, type))),
  }
  return type === 'string' ? { ...queryable, matchText: (...asked) => matchText(path, ...asked) } : queryable
}

function matchText(path: string, form: TextForm, constant: Constant, context: ParseContext): FilterNode {
  const literal = String(readConstant(constant, 'string')).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  const source = form === 'CONTAINS' ? literal : form === 'STARTS' ? `^${literal}` : `${literal}\\z`
  const place = { ...context, place: `${context.place}, column ${constant.column}` }
  return field(path, { operator: '$regex', pattern: parseTextPattern(source, '', place) })
}
