import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openApiDocument, schemasOf } from '../../src/http/openapi/document.ts'
import { html } from '../../src/http/openapi/html.ts'
import type { DescribedRoute } from '../../src/http/openapi/operation-html.ts'
import { groupsOf, referenceOf } from '../../src/http/openapi/reference.ts'
import { schemaHtml, schemaWords } from '../../src/http/openapi/schema-html.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import type { RecordKind } from '../../src/records/record-kind.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
let routes: readonly DescribedRoute[]
beforeAll(async () => {
  server = await startServer()
  const all = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
  routes = all.filter((route): route is DescribedRoute => route.operation !== undefined)
})
afterAll(() => server.close())

const kindOf = (collection: string) => RECORD_KINDS.find((kind) => kind.collection === collection) as RecordKind
const shownFor = (kind: RecordKind) =>
  groupsOf(routes, RECORD_KINDS, kind).flatMap(({ operations }) => operations.map(({ route }) => route.operation.id))

describe('the groups of the reference', () => {
  it('have each thing that can be done with records once, for the kind that is chosen', () => {
    const forMethods = shownFor(kindOf('methods'))
    expect(forMethods).toEqual(expect.arrayContaining(['listMethods', 'exportMethods', 'showMethodSchema']))
    // What a kind has alone is there whichever is chosen.
    expect(forMethods).toEqual(expect.arrayContaining(['importMaterials', 'submitJob', 'logIn', 'listBankMaterials']))
    for (const other of ['listMaterials', 'listJobs', 'showJobSchema']) expect(forMethods).not.toContain(other)
    for (const kind of RECORD_KINDS) {
      const shown = shownFor(kind)
      expect([kind.name, new Set(shown).size]).toEqual([kind.name, shown.length])
      expect(shown.length).toBeLessThan(routes.length / 2)
    }
  })

  it('lose no operation: each is shown for one kind or another, and named by the one that stands for it', () => {
    const all = new Set(RECORD_KINDS.flatMap(shownFor))
    expect(routes.map(({ operation: { id } }) => id).filter((id) => !all.has(id))).toEqual([])
    const shown = groupsOf(routes, RECORD_KINDS, kindOf('materials')).flatMap(({ operations }) => operations)
    const { alike } = shown.find(({ route }) => route.operation.id === 'getMaterialHistory') ?? {}
    expect(alike).toContain('methods getMethodHistory workflows getWorkflowHistory')
    const named = shown.flatMap(({ route, alike }) => [route.operation.id, ...alike.split(' ')])
    expect(routes.filter(({ operation: { id } }) => !named.includes(id))).toEqual([])
  })

  it('are under words, in the order of the description', () => {
    const titles = groupsOf(routes, RECORD_KINDS, kindOf('jobs')).map(({ title }) => title)
    expect(titles.slice(0, 2)).toEqual(['Session', 'Tokens'])
    expect(titles).toEqual(expect.arrayContaining(['Records', 'Bank materials']))
    expect(titles).not.toContain('Jobs')
  })
})

describe('the reference', () => {
  const operationIn = (text: string, id: string) =>
    new RegExp(`<details id="${id}"[\\s\\S]*?</template>`).exec(text)?.[0] ?? ''

  it('says of each operation what the description says', () => {
    const { operations: text } = referenceOf({ routes, kinds: RECORD_KINDS, schemas: {} }, kindOf('methods'))
    // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
    const { paths, components } = openApiDocument(routes, RECORD_KINDS) as any
    const shown = new Set(shownFor(kindOf('methods')))
    let count = 0
    for (const [path, methods] of Object.entries<Record<string, object>>(paths)) {
      // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
      for (const [method, operation] of Object.entries<any>(methods)) {
        if (!shown.has(operation.operationId)) continue
        count += 1
        const own = operationIn(text, operation.operationId)
        expect(own).toContain(`data-method="${method.toUpperCase()}" data-path="${path}"`)
        expect(own).toContain(html`${operation.summary}`.text)
        expect(own).toContain(html`${operation.description ?? ''}`.text)
        expect(own.includes('needs no credential')).toBe(operation.security?.length === 0)
        const statuses = Object.keys(operation.responses).filter((status) => !status.startsWith('2'))
        expect(own).toContain(`May refuse with ${statuses.join(', ')};`)
        for (const { $ref } of operation.parameters ?? []) {
          const { name, in: place, description = '' } = components.parameters[$ref.split('/').at(-1)]
          expect(own).toContain(`name="${place} ${name}"`)
          expect(own).toContain(html`${description}`.text)
        }
        for (const type of Object.keys(operation.requestBody?.content ?? {})) expect(own).toContain(type)
      }
    }
    expect(count).toBe(shown.size)
  })

  it('has a form for each, with examples, choices and the body that is sent when nothing else is typed', () => {
    const { operations: text } = referenceOf({ routes, kinds: RECORD_KINDS, schemas: {} }, kindOf('materials'))
    const list = operationIn(text, 'listMaterials')
    expect(list).toContain('aria-label="query: take {&#34;formula&#34;:&#34;Si&#34;}"')
    expect(list).toMatch(/<select id="listMaterials-query-strict"[^>]*><option value="">left out<\/option><option>true/)
    expect(operationIn(text, 'createToken')).toMatch(
      /<textarea [^>]*name="body"[^>]*>\n\{\n {2}&#34;name&#34;: &#34;laptop&#34;/,
    )
    expect(operationIn(text, 'exportMaterial')).toContain('<option>majority</option><option>supercell</option>')
    expect(operationIn(text, 'logIn')).toContain('data-type="application/json" data-open="true"')
    expect(operationIn(text, 'importMaterialsInBulk')).toContain('data-type="application/x-ndjson"')
    expect(operationIn(text, 'exportMethods')).toBe('')
    expect(operationIn(text, 'exportMaterials')).toContain('data-answer="text"')
    expect(operationIn(text, 'getMaterial')).toContain('<a class="type" href="#schema-Material">Material</a>')
  })

  it('has ids that are there once, and leads to those that are there', () => {
    const schemas = schemasOf(RECORD_KINDS)
    const { operations, chapters } = referenceOf({ routes, kinds: RECORD_KINDS, schemas }, kindOf('materials'))
    const ids = [...operations.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...`${chapters}${operations}`.matchAll(/(?:href="#|for="|aria-describedby=")([^"]+)"/g)].map(
      ([, id]) => id,
    )
    expect(links.length).toBeGreaterThan(200)
    // The bank has a schema of its own, which is not asked for here.
    expect(links.filter((id) => !ids.includes(id) && id !== 'schema-BankMaterial')).toEqual([])
  })
})

describe('a schema', () => {
  test.each([
    [{ type: 'integer', minimum: 1, maximum: 500 }, 'integer 1 to 500'],
    [{ type: 'integer', minimum: 1 }, 'integer from 1'],
    [{ type: 'string', maxLength: 9 }, 'string of 0 to 9 characters'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'date-time or null'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Material' } }, 'array of Material'],
    [{ enum: ['owner', 'member'] }, '"owner" or "member"'],
    [{ const: true }, 'true'],
    [{}, 'anything'],
  ])('%j is said in words', (schema, words) => {
    expect(schemaWords(schema)).toBe(words)
  })

  test('has a row for each member, which opens where it has members of its own', () => {
    const inner = { type: 'object', properties: { b: { type: 'integer', default: 1 } }, required: ['b'] }
    const { text } = schemaHtml({
      type: 'array',
      items: { type: 'object', properties: { a: { anyOf: [inner, { type: 'null' }] } } },
    })
    expect(text.replaceAll('\n', '')).toBe(
      '<ul class="schema"><li><details><summary><code>a</code> <span class="type">object or null</span></summary>' +
        '<ul class="schema"><li><code>b</code> <span class="type">integer</span> <span class="needed">needed</span>' +
        '<span class="type">, else 1</span></li></ul></details></li></ul>',
    )
  })
})

test('what is put into HTML is text, unless it is HTML', () => {
  const bad = `<script>"&'`
  expect(html`<a title="${bad}">${bad}${null}${1}${[html`<b>`, 'x']}</a>`.text).toBe(
    `<a title="&#60;script&#62;&#34;&#38;'">&#60;script&#62;&#34;&#38;'1<b>x</a>`,
  )
})
