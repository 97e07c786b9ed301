import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Reach } from '../../scripts/reach.mjs'

const reach = new Reach()

/** A file that changes, one that it reaches, and how. */
const REACHED = [
  ['src/query/filter/match.ts', 'test/query/filter-cases.test.ts', 'by imports'],
  ['src/structure/reciprocal/k-path.ts', 'test/http/structures.test.ts', 'by what a server imports'],
  ['src/records/work/record-thread.ts', 'test/records/record-threads.test.ts', 'by a thread that is started'],
  ['src/store/sqlite/write/write-thread.ts', 'test/http/records.test.ts', 'by a thread of a store'],
  ['test/store/writing-child.ts', 'test/store/crash.test.ts', 'by a program that is started'],
  ['src/cli/commands/audit.ts', 'test/cli/audit.test.ts', 'by the command that is started'],
  ['docs/reference/query-language.md', 'test/query/query-language-doc.test.ts', 'as a page that is read'],
  ['docs/reference/warnings.md', 'test/docs/generated-pages.test.ts', 'as a page that is written'],
  ['samples/materials/ag-fcc.json', 'test/records/samples.test.ts', 'in a folder that is read'],
  ['test/fixtures/disordered/alloy-shared-site.cif', 'test/structure-formats/disordered-cif.test.ts', 'as a fixture'],
  ['test/cases/comparison.cases.ts', 'test/contract/contract.test.ts', 'as cases that are read from a folder'],
  ['src/structure/reciprocal/k-path.ts', 'test/architecture/catalogues.test.ts', 'as a text'],
  ['web/plots/diffraction-plot.tsx', 'test/browser/smoke.test.ts', 'by what a server hands out'],
  ['docs/how-to/use-the-page.md', 'test/http/pages.test.ts', 'as a page that a server hands out'],
  ['rooms.cjs', 'test/architecture/arrows.test.ts', 'as a file beside the folders'],
  ['vitest.config.ts', 'test/kernel/turns.test.ts', 'by all that is under every test'],
] as const

describe('a change', () => {
  it.each(REACHED)('of %s reaches %s %s', (changed, test) => {
    expect(existsSync(new URL(`../../${changed}`, import.meta.url))).toBe(true)
    expect(reach.testsOf([changed])).toContain(test)
  })

  it('of a file that is gone reaches what imports it', () => {
    expect(reach.testsOf(['src/query/filter/match.ts', 'src/not/there.ts'])).toEqual(
      reach.testsOf(['src/query/filter/match.ts']),
    )
  })

  it.each([
    ['src/http/server/build-server.ts', 'test/query/filter-cases.test.ts'],
    ['test/http/list.test.ts', 'test/http/records.test.ts'],
    ['docs/reference/formats.md', 'test/http/list.test.ts'],
    ['web/plots/diffraction-plot.tsx', 'test/http/list.test.ts'],
  ])('of %s does not reach %s', (changed, test) => {
    expect(reach.testsOf([changed])).not.toContain(test)
  })

  it('of a test reaches itself', () => {
    expect(reach.testsOf(['test/query/paths-read.test.ts'])).toContain('test/query/paths-read.test.ts')
  })
})

describe('what the store in PostgreSQL stands on', () => {
  const under = reach.under('src/store/postgres/')

  it.each(['src/store/postgres/open-postgres-store.ts', 'src/store/segments/effort.ts', 'src/engine/column-parts.ts'])(
    'has %s',
    (file) => expect(under.has(file)).toBe(true),
  )

  it.each([
    'src/store/sqlite/open-sqlite-store.ts',
    'src/http/server/build-server.ts',
    'src/structure/reciprocal/k-path.ts',
  ])('has not %s', (file) => expect(under.has(file)).toBe(false))
})
