import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { EXPRESSION_OPERATORS } from '../../src/query/expressions/registry.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { STRUCTURE_FORMATS } from '../../src/structure/formats/registry.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')

/** The names in backticks in the first column of the tables of a page. */
function firstColumn(text: string): Set<string> {
  const cells = [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell)
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}

describe('the reference of records', () => {
  it.each(RECORD_KINDS.map(({ name, collection }) => [name, collection] as const))(
    'tells of a %s',
    (name, collection) => {
      expect(page('records.md'), `docs/reference/records.md does not tell of \`${collection}\``).toMatch(
        new RegExp(`\\*\\*${name}\\*\\*|^\\| ${name} \\| \`${collection}\` \\|`, 'm'),
      )
      expect(page('api.md'), `docs/reference/api.md does not name \`${collection}\``).toContain(`\`${collection}\``)
    },
  )
})

describe('the reference of structure files', () => {
  it.each(STRUCTURE_FORMATS.map(({ name }) => name))('has a row for %s, which tests read', (name) => {
    expect(page('formats.md'), `docs/reference/formats.md has no row for \`${name}\``).toContain(`\n| \`${name}\` |`)
    const tests = new URL('../structure-formats/', import.meta.url)
    const texts = readdirSync(tests).map((file) => readFileSync(new URL(file, tests), 'utf8'))
    expect(
      texts.some((text) => text.includes(`'${name}'`)),
      `no test in test/structure-formats reads '${name}'`,
    ).toBe(true)
  })
})

describe('the reference of the query language', () => {
  it('has a row for every operator', () => {
    const rows = firstColumn(page('query-language.md'))
    const operators = [...FIELD_OPERATORS.keys(), '$and', '$or', '$nor', '$expr']
    expect(operators.filter((name) => !rows.has(name))).toEqual([])
  })

  it('has a row for every operator of expressions', () => {
    const rows = firstColumn(page('expressions.md'))
    expect([...EXPRESSION_OPERATORS.keys()].filter((name) => !rows.has(name))).toEqual([])
  })
})

describe('the reference of the API', () => {
  let services: Services
  const directory = mkdtempSync(join(tmpdir(), 'quarry-docs-'))
  beforeAll(async () => {
    services = await openServices(readConfig({ data: directory }, {}, null))
  })
  afterAll(async () => {
    await services.close()
    rmSync(directory, { recursive: true })
  })

  it('names every address', () => {
    const text = page('api.md')
    const paths = allRoutes(services, DEFAULT_HTTP_SETTINGS).map(({ path }) =>
      path.replace('/api/2018-10-01', '').replaceAll(/:(\w+)/g, '{$1}'),
    )
    // One section serves all kinds of records.
    const plurals = new RegExp(`^/(${RECORD_KINDS.map(({ collection }) => collection).join('|')})(?=/|$)`)
    const singulars = new RegExp(`^/schemas/(${RECORD_KINDS.map(({ name }) => name).join('|')})$`)
    const forMaterials = (path: string) => path.replace(plurals, '/materials').replace(singulars, '/schemas/material')
    const documented = (path: string) => text.includes(path) || text.includes(forMaterials(path))
    expect([...new Set(paths)].filter((path) => !documented(path))).toEqual([])
  })
})

const ROOT = new URL('../../', import.meta.url)
const PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
]

/** What a forge makes of the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) => heading,
  )
  return new Set(
    headings.map((one) =>
      one
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('a link of the documentation', () => {
  it.each(PAGES)('of %s leads to a page, and to a heading of it', (name) => {
    const text = readFileSync(new URL(name, ROOT), 'utf8')
    const lost = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, link = '', anchor]) => {
      const target = link === '' ? new URL(name, ROOT) : new URL(link, new URL(name, ROOT))
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })
})
