import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { parseQueryText, rootContext } from '../../src/query/context.ts'
import { evaluate } from '../../src/query/expressions/evaluate.ts'
import { parseExpression } from '../../src/query/expressions/parse-expression.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { type PlainSqlite, plainSqlite } from '../support/plain-sqlite.ts'
import { insertion, planOf } from '../support/plans.ts'

const page = readFileSync(new URL('../../docs/reference/differences.md', import.meta.url), 'utf8')

/** A row of the list: a question about a record, with both answers as they are written. */
interface Row {
  readonly number: number
  readonly record: JsonObject
  /** What is asked, by the word before it: `query`, `expression`, `fields`, `sort`, `limit`. */
  readonly question: Readonly<Record<string, string>>
  readonly here: string
  readonly mongodb: string
}

const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    number: Number.parseInt(text, 10),
    rows: text.split('\n').filter((line) => line.startsWith('| `')),
  }))

const rows: readonly Row[] = sections.flatMap(({ number, rows: lines }) => lines.map((line) => rowOf(line, number)))

function rowOf(line: string, number: number): Row {
  const [record = '', question = '', here = '', mongodb = ''] = line
    .split(' | ')
    .map((cell) => cell.replace(/^\| | \|$/g, ''))
  return {
    number,
    record: JSON.parse(codeIn(record)[0] ?? ''),
    question: Object.fromEntries(
      codeIn(question).map((asked) => [asked.split(' ', 1)[0] ?? '', asked.replace(/^\S+ /, '')]),
    ),
    here: here.replaceAll('`', ''),
    mongodb: mongodb.replaceAll('`', ''),
  }
}

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** Answers in the words of the list, by a way to answer. */
function answerOf(row: Row, answer: (row: Row) => string): string {
  try {
    return answer(row)
  } catch (error) {
    if (error instanceof AppError) return String(error.code)
    throw error
  }
}

const read = (text: string): Json => parseQueryText(text)
const found = (is: boolean): string => (is ? 'found' : 'not found')

/** The meaning of the language, without any store. */
function byMatcher({ record, question: { query, expression, fields, sort, limit } }: Row): string {
  if (expression !== undefined) {
    const node = parseExpression(read(expression), rootContext(DEFAULT_QUERY_BOUNDS, 'query.$expr'))
    return JSON.stringify(evaluate(node, record))
  }
  const filter = parseFilter(query === undefined ? {} : read(query))
  if (fields === undefined && sort === undefined && limit === undefined) return found(matches(filter, record))
  expect(matches(filter, record)).toBe(true)
  const projection = parseProjection(projectionOf({ fields, sort, limit }), DEFAULT_QUERY_BOUNDS, 'projection', filter)
  return projection.fields === null ? 'ordered' : JSON.stringify(projectDocument(record, projection.fields, filter))
}

function projectionOf(keys: Readonly<Record<string, string | undefined>>): Json {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, text]) => (text === undefined ? [] : [[key, read(text)]])),
  )
}

describe('the list of known differences', () => {
  let store: PlainSqlite
  beforeAll(() => {
    store = plainSqlite(DEFAULT_SEGMENT_SIZES)
    store.applyEach(rows.map(({ record }, index) => insertion(`row-${index}`, 'x', record)))
  })
  afterAll(() => store.close())

  it('is numbered from 1 on, and every number has a question', () => {
    expect(sections.map(({ number }) => number)).toEqual(sections.map((_, index) => index + 1))
    expect(sections.filter(({ rows: lines }) => lines.length === 0)).toEqual([])
    expect(rows.length).toBeGreaterThanOrEqual(35)
  })

  it('says of every question what MongoDB answers, and it is something else', () => {
    for (const { mongodb, here } of rows) {
      expect(mongodb).not.toBe('')
      expect(mongodb).not.toBe(here)
    }
  })

  it.each(rows.map((row) => [row.number, JSON.stringify(row.question), row] as const))(
    '%i: %s',
    (_, _question, row) => {
      expect(answerOf(row, byMatcher)).toBe(row.here)
    },
  )

  it.each(rows.map((row, index) => [row.number, JSON.stringify(row.question), row, index] as const))(
    '%i in the store: %s',
    (_, _question, row, index) => {
      const { query, expression, ...projection } = row.question
      const byStore = (): string => {
        if (expression === undefined) {
          const filter = query === undefined ? {} : read(query)
          const page = store.find(planOf(`row-${index}`, filter, projectionOf(projection)), ENDLESS_EFFORT)
          if (projection.fields === undefined) return found(page.count === 1)
          return page.documents.toString().slice(1, -1)
        }
        const given = /^\d{5}$/.test(row.here) ? null : JSON.parse(row.here)
        const asked: Json = { $expr: { $eq: [read(expression), { $literal: given }] } }
        return store.count(planOf(`row-${index}`, asked), ENDLESS_EFFORT) === 1 ? row.here : 'something else'
      }
      expect(answerOf(row, byStore)).toBe(row.here)
    },
  )
})
