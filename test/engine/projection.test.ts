import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column } from '../../src/engine/column.ts'
import { encodeColumn } from '../../src/engine/column-parts.ts'
import { ColumnGatherer, SHAPE_PATH } from '../../src/engine/gather-columns.ts'
import { ColumnProjection, columnsOfFields, isOfColumns, ProjectionSteps } from '../../src/engine/project-columns.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { type Json, JsonBytes, type JsonObject } from '../../src/kernel/json.ts'
import type { FieldsNode } from '../../src/query/ast/list-request.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { documents } from '../support/arbitraries.ts'
import { fields as projections } from '../support/arbitrary-projections.ts'

const NO_FILTER = parseFilter({}, DEFAULT_QUERY_BOUNDS)

describe('fields written from columns', () => {
  it('are those of the document, in their order, letter by letter', () => {
    let rows = 0
    let written = 0
    const given = fc.array(documents, { maxLength: 10 })
    fc.assert(
      fc.property(given, fc.array(projections, { minLength: 1, maxLength: 3 }), (all, asked) => {
        const gathered = gather(all)
        for (const fields of asked.flatMap((one) => fieldsUnlessRefused(one) ?? [])) {
          const projection = projectionOf(gathered, fields)
          if (projection === null) continue
          for (const [row, document] of all.entries()) {
            rows += 1
            const text = textOf(projection, row)
            if (text === null) continue
            written += 1
            expect(text).toBe(JSON.stringify(projectDocument(document, fields, NO_FILTER)))
          }
        }
      }),
      { numRuns: 1000 },
    )
    expect(written / rows).toBeGreaterThan(0.4)
  })

  it('keeps fields of an object and those after it apart', () => {
    const all = [{ a: { b: 1, c: 2 } }, { a: { b: 1 }, c: 2 }, { a: {}, b: 1, c: 2 }]
    const { columns } = gather(all)
    const { tree } = parseProjection({ fields: { a: 1, b: 1, c: 1 } }, DEFAULT_QUERY_BOUNDS).fields as FieldsNode
    const projection = new ColumnProjection(
      { rows: all.length, column: (path) => columns.get(path) ?? null, spend() {} },
      new ProjectionSteps(tree),
    )
    expect(all.map((_, row) => textOf(projection, row))).toEqual(all.map((document) => JSON.stringify(document)))
  })
})

/** The columns of documents, and the shapes that these have. */
function gather(all: readonly JsonObject[]) {
  const gatherer = new ColumnGatherer()
  for (const document of all) gatherer.add(document)
  const columns = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
  return { rows: all.length, columns }
}

/** Null where columns do not tell what is asked for; it may look at those alone that the first shapes name. */
function projectionOf({ rows, columns }: ReturnType<typeof gather>, fields: FieldsNode) {
  const shapes = columns.get(SHAPE_PATH)
  if (!isOfColumns(fields)) return null
  const allowed = shapes === undefined ? null : new Set([SHAPE_PATH, ...columnsOfFields(fields, shapes)])
  const column = (path: string) => {
    if (allowed?.has(path) === false) throw new Error(`${path} was not asked for`)
    return columns.get(path) ?? null
  }
  return new ColumnProjection({ rows, column, spend() {} }, new ProjectionSteps(fields.tree))
}

function fieldsUnlessRefused(fields: Json): FieldsNode | null {
  try {
    return parseProjection({ fields }, DEFAULT_QUERY_BOUNDS).fields
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** What is written of a row; null when that is not all, and nothing is left behind then. */
function textOf(projection: ColumnProjection, row: number): string | null {
  const out = new JsonBytes()
  out.json('before ')
  const isWritten = projection.write(row, out)
  const text = out.take().toString()
  expect(text.startsWith('before ')).toBe(true)
  if (!isWritten) expect(text).toBe('before ')
  return isWritten ? text.slice('before '.length) : null
}
