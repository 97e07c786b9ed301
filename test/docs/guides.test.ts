import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentsHtml, GUIDES, targetFrom } from '../../scripts/guides/contents.mjs'
import { docsDocuments } from '../../scripts/guides/documents.mjs'

const DOCS = new URL('../../docs/', import.meta.url)
const FILES = { style: './web/docs.css', script: './web/docs.js' }
const INDEX = readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8')

test('every text of the reference and every guide is listed, once', () => {
  const files = ['reference', 'how-to'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, DOCS)).map((name) => `${folder}/${name.replace('.md', '')}`),
  )
  expect(GUIDES.map(({ file }) => file).sort()).toEqual(files.sort())
  expect(new Set(GUIDES.map(({ name }) => name)).size).toBe(GUIDES.length)
})

test.each([
  ['#lists', '#lists'],
  ['records.md#history', './docs/records#history'],
  ['../how-to/add-a-record-kind.md', './docs/add-a-record-kind'],
  ['https://www.mongodb.com/docs', 'https://www.mongodb.com/docs'],
  ['../decisions/0012-logging-in.md', null],
  ['../../src/http/exchange/route.ts', null],
  ['../how-to/api.md', null],
  ['javascript:alert(1)', null],
])('%s in a page of the reference leads to %j', (href, target) => {
  expect(targetFrom('reference/api')(href)).toBe(target)
})

test('what a guide links to in the reference is found from where guides are', () => {
  const text = readFileSync(new URL('how-to/use-the-page.md', DOCS), 'utf8')
  expect(text).toContain('../reference/api.md')
  expect(targetFrom('how-to/use-the-page')('../reference/api.md#tokens')).toBe('./docs/api#tokens')
})

test('the contents say which guide is shown', () => {
  const current = (html: string) =>
    [...html.matchAll(/<a href="([^"]+)"[^>]* aria-current="page"/g)].map(([, to]) => to)
  expect(current(contentsHtml('reference/errors'))).toEqual(['./docs/errors'])
  expect(current(contentsHtml(null))).toEqual(['./docs'])
})

test('a document has its title, what it needs, and addresses from where it is', () => {
  const documents = docsDocuments(INDEX, FILES)
  expect([...documents.keys()].sort()).toEqual(
    ['docs.html', 'docs/sections.json', ...GUIDES.map(({ name }) => `docs/${name}.html`)].sort(),
  )
  const guide = documents.get('docs/errors.html') ?? ''
  expect(guide).toContain('<title>Errors · Quarry</title>')
  expect(guide).toContain('<link rel="stylesheet" href="../web/docs.css" />')
  expect(guide).toContain('<script type="module" blocking="render" src="../app/main.tsx">')
  expect(guide).toContain('<a href="../docs/errors.md">This page as text</a>')
  expect(guide).toContain('The text of a query or projection is not JSON')
  expect(guide).not.toMatch(/="\.\//)
  const reference = documents.get('docs.html') ?? ''
  expect(reference).toContain('<link rel="stylesheet" href="./web/docs.css" />')
  for (const place of ['<!-- chapters -->', '<!-- operations -->']) expect(reference.split(place)).toHaveLength(2)
})

test('a page that has no place for a document is refused', () => {
  expect(() => docsDocuments(INDEX.replace('<div id="page"></div>', ''), FILES)).toThrow('web/index.html has no <div')
})
