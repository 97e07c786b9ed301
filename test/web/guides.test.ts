import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GUIDE_GROUPS, guideOf, guidesLike, targetOf } from '../../web/pages/docs/guides.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const guides = GUIDE_GROUPS.flatMap((group) => group.guides)

test('every text of the reference and every guide is listed, once', () => {
  const files = ['reference', 'how-to'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, DOCS)).map((name) => `${folder}/${name.replace('.md', '')}`),
  )
  expect(guides.map(({ folder, name }) => `${folder}/${name}`).sort()).toEqual(files.sort())
  expect(new Set(guides.map(({ name }) => name)).size).toBe(guides.length)
})

test.each([
  ['#lists', { href: '#lists' }],
  ['records.md#history', { to: '/docs/records#history' }],
  ['../how-to/add-a-record-kind.md', { to: '/docs/add-a-record-kind' }],
  ['https://www.mongodb.com/docs', { href: 'https://www.mongodb.com/docs' }],
  ['../decisions/0012-logging-in.md', null],
  ['../../src/http/exchange/route.ts', null],
  ['../how-to/api.md', null],
  ['javascript:alert(1)', null],
])('%s in a page of the reference leads to %j', (href, target) => {
  expect(targetOf(href, { folder: 'reference' })).toEqual(target)
})

test('what a guide links to in the reference is found from where guides are', () => {
  const guide = guideOf('use-the-page')
  const text = readFileSync(new URL('how-to/use-the-page.md', DOCS), 'utf8')
  expect(text).toContain('../reference/api.md')
  expect(guide && targetOf('../reference/api.md#tokens', guide)).toEqual({ to: '/docs/api#tokens' })
})

test('guides are found by all words of a search', () => {
  const found = (search: string) => guidesLike(search).map(({ name }) => name)
  expect(found('postgresql run')).toEqual(['run-on-postgresql'])
  expect(found('EVERY code')).toEqual(['errors'])
  expect(found('no such words')).toEqual([])
  expect(found('  ')).toEqual([])
})
