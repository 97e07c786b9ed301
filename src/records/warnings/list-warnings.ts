import { AppError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import { findWarnings } from '../../query/warnings/find-warnings.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { ScopedCollection } from '../record-kind.ts'
import { guideOf } from './field-guide.ts'

/** Refuses what a strict request would have been warned of: in the words of the first warning, with all of them as data. */
export function refuseWarnings(warnings: readonly Warning[]): void {
  const [first] = warnings
  if (first === undefined) return
  const { path, message, hint } = first
  throw new AppError(RECORD_ERRORS.warned, message, { path, ...(hint === undefined ? {} : { hint }), warnings })
}

/** Finds what the requester should know about the answer to a list: it follows from the request and what the requester sees. */
export function listWarnings(
  { deps: { store }, kind, session: { scope } }: ScopedCollection,
  asked: WarnedRequest,
  foundNothing: boolean,
  since?: number,
): Promise<readonly Warning[]> {
  const find = (knowledge: FieldKnowledge | null) => findWarnings(asked, knowledge, guideOf(kind), foundNothing)
  return store.askKnowledge(kind.collection, scope, find, since).then((found) => tellWarnings(asked, found))
}

type WarnedRequest = Pick<ListRequest, 'filter' | 'sort' | 'fields' | 'strict' | 'remarks'>

function tellWarnings(asked: WarnedRequest, found: readonly Warning[]): readonly Warning[] {
  const warnings = asked.remarks === undefined ? found : [...asked.remarks, ...found]
  if (asked.strict === true) refuseWarnings(warnings)
  return warnings
}

/** Tells by the records of a page whether the request has any: behind a first page that is empty, there is none. */
export function isWithoutMatches({ skip, after }: Pick<ListRequest, 'skip' | 'after'>, count: number): boolean {
  return count === 0 && skip === 0 && (after ?? null) === null
}
