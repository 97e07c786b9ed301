import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPTIMADE_ERRORS } from '../../src/optimade/errors.ts'
import { STRUCTURE_PROPERTIES } from '../../src/optimade/properties.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

const PAGE = readFileSync(new URL('../../docs/reference/optimade.md', import.meta.url), 'utf8')

let optimade: OptimadeServer
beforeAll(async () => {
  optimade = await startOptimade()
})
afterAll(() => optimade.close())

/** The lines of the code blocks of a language. */
const linesOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``, 'g'))].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  )

describe('the reference of the OPTIMADE API', () => {
  test('has a row for every property, as the server describes it', () => {
    const rows = [...STRUCTURE_PROPERTIES].map(([name, { type, unit, description, queryable }]) => {
      const sorts = queryable.sortPath === undefined ? '' : 'yes'
      const asks = [
        ...(queryable.compare === undefined ? [] : ['order']),
        ...(queryable.matchText === undefined ? [] : ['text']),
        ...(queryable.has === undefined ? [] : ['list']),
        ...(queryable.has === undefined && queryable.compareLength !== undefined ? ['length'] : []),
        'known',
      ]
      return `| \`${name}\` | ${type}${unit === undefined ? '' : `, ${unit}`} | ${asks.join(', ')} | ${sorts} | ${description} |`
    })
    const found = PAGE.split('\n').filter((line) => STRUCTURE_PROPERTIES.has(/^\| `(\w+)`/.exec(line)?.[1] ?? ''))
    expect(found).toEqual(rows)
  })

  test('has examples of filters that all select something', async () => {
    const filters = linesOf('optimade')
    expect(filters.length).toBeGreaterThan(8)
    for (const filter of filters) {
      const { status, body } = await optimade.filter(filter)
      expect([filter, status, body.meta.data_returned > 0]).toEqual([filter, 200, true])
    }
  })

  test('names every error', () => {
    expect(Object.values(OPTIMADE_ERRORS).filter(({ code }) => !PAGE.includes(`\`_quarry_${code}\``))).toEqual([])
  })
})
