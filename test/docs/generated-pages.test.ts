import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCatalogue } from '../../scripts/docs/error-catalogue.ts'
import { readEvents } from '../../scripts/docs/events-page.ts'
import { declaredMetrics } from '../../scripts/docs/metrics-page.ts'
import { generatedPages } from '../../scripts/docs/pages.ts'
import { readWarnings } from '../../scripts/docs/warnings-page.ts'
import { AUDIT_ACTIONS } from '../../src/store/port/audit.ts'

const pages = await generatedPages()

it.each(Object.keys(pages))('%s is as `npm run docs` writes it', (name) => {
  const page = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const present = new Set(page.split('\n'))
  const missing = (pages[name] ?? '').split('\n').filter((line) => !present.has(line))
  expect(missing, `\`npm run docs\` writes into ${name}:\n${missing.join('\n')}\n`).toEqual([])
  expect(page).toBe(pages[name])
})

describe('the error catalogue', () => {
  it('gives every code to one error', async () => {
    const codes = (await readCatalogue()).map((row) => row.code)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  it('has codes that are an HTTP status of a refusal and two digits', async () => {
    for (const { code } of await readCatalogue()) {
      expect(Number.isInteger(code) && code >= 40_000 && code < 60_000, String(code)).toBe(true)
    }
  })

  it('has the errors of every room that declares any', async () => {
    const rooms = new Set((await readCatalogue()).map(({ file }) => file.split('/')[0]))
    expect([...rooms].sort()).toEqual([
      'accounts',
      'app',
      'cli',
      'http',
      'optimade',
      'query',
      'records',
      'store',
      'structure',
    ])
  })
})

describe('the catalogue of events', () => {
  it('gives every name to one event', async () => {
    const names = (await readEvents()).map(({ spec }) => spec.name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('names what happened to what, in small letters', async () => {
    for (const { spec } of await readEvents()) expect(spec.name).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  })

  it('has an action of the audit for every event that is marked so', async () => {
    const marked = (await readEvents()).filter(({ spec }) => spec.audit).map(({ spec }) => spec.name)
    expect(marked.filter((name) => !(name in AUDIT_ACTIONS))).toEqual([])
    expect(marked.length).toBeGreaterThan(0)
  })

  it('has no action of the audit that nothing in the program writes', () => {
    const source = new URL('../../src/', import.meta.url)
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    const program = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('port/audit.ts'))
      .map((file) => readFileSync(new URL(file, source), 'utf8'))
      .join('\n')
    expect(Object.keys(AUDIT_ACTIONS).filter((action) => !program.includes(`'${action}'`))).toEqual([])
  })

  it('has the events of every room that declares any', async () => {
    const rooms = new Set((await readEvents()).map(({ file }) => file.split('/')[0]))
    expect([...rooms].sort()).toEqual(['accounts', 'cli', 'http', 'records', 'store', 'structure'])
  })
})

describe('the catalogue of warnings', () => {
  it('gives every code, which is 200 and two digits, to one warning', async () => {
    const codes = (await readWarnings()).map((row) => row.code)
    expect(codes.filter((code) => !(code >= 20_001 && code <= 20_099))).toEqual([])
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    expect(codes.length).toBeGreaterThan(0)
  })
})

describe('the catalogue of metrics', () => {
  it('gives every name to one metric', async () => {
    const names = (await declaredMetrics()).map(({ spec }) => spec.name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('names counters as Prometheus wants it', async () => {
    for (const { spec } of await declaredMetrics()) {
      expect(spec.name).toMatch(/^(quarry|nodejs)_[a-z_]+$/)
      expect([spec.name, spec.name.endsWith('_total')]).toEqual([spec.name, spec.kind === 'counter'])
    }
  })
})
