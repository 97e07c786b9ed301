import type { JsonObject } from '../../kernel/json.ts'
import { compileProjection } from '../../query/fields/project-document.ts'
import { matcherOf } from '../../query/filter/match.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { parseDocument } from '../document.ts'

const LINE_END = Buffer.from('\n')

/** Makes the line of a record in an export; null for one that does not match any more. */
export function lineMaker({ filter, fields }: QueryPlan, isUnchanged: boolean): (text: Buffer) => Buffer | null {
  const matches = matcherOf(filter)
  const project = fields === null ? null : compileProjection(fields, filter)
  return (text) => {
    if (isUnchanged && project === null) return Buffer.concat([text, LINE_END])
    const document: JsonObject = parseDocument(text.toString())
    if (!isUnchanged && !matches(document)) return null
    return project === null ? Buffer.concat([text, LINE_END]) : Buffer.from(`${JSON.stringify(project(document))}\n`)
  }
}
