import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CruiseResult, cruise, plantProject } from './cruise.ts'
import { sourceFiles } from './source-files.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { ROOMS, PACKAGE_HOMES } = createRequire(import.meta.url)('../../rooms.cjs') as {
  ROOMS: Record<string, string[]>
  PACKAGE_HOMES: Record<string, string>
}

/** One file each that breaks one rule. */
const PLANTED: readonly { readonly rule: string; readonly file: string; readonly text: string }[] = [
  { rule: 'kernel-arrows', file: 'kernel/up.ts', text: "import '../query/leaf.ts'" },
  {
    rule: 'records-arrows',
    file: 'records/web.ts',
    text: "import type { S } from '../http/server.ts'\nexport type T = S",
  },
  { rule: 'no-unknown-room', file: 'misc/thing.ts', text: "import '../query/leaf.ts'" },
  { rule: 'find-my-way-home', file: 'records/route.ts', text: "import 'find-my-way'" },
  {
    rule: 'better-sqlite3-home',
    file: 'http/sql.ts',
    text: "import type Database from 'better-sqlite3'\nexport type D = Database.Database",
  },
  { rule: 'commander-home', file: 'app/flags.ts', text: "import 'commander'" },
  { rule: '@node-rs/argon2-home', file: 'http/password.ts', text: "import '@node-rs/argon2'" },
  { rule: 'ajv-home', file: 'http/schema.ts', text: "import 'ajv'" },
  { rule: 're2js-home', file: 'records/pattern.ts', text: "import 're2js'" },
  { rule: '@spglib/moyo-wasm-home', file: 'structure/cell.ts', text: "import '@spglib/moyo-wasm'" },
  { rule: 'http-home', file: 'records/fetch.ts', text: "import 'node:http'" },
  { rule: 'tls-home', file: 'records/dial.ts', text: "import 'node:tls'" },
  { rule: 'no-second-sqlite', file: 'store/sqlite/other.ts', text: "import 'node:sqlite'" },
  { rule: 'query-is-pure', file: 'query/disk.ts', text: "import 'node:fs'" },
  { rule: 'engine-is-pure', file: 'engine/disk.ts', text: "import 'node:fs'" },
  { rule: 'engine-arrows', file: 'engine/store.ts', text: "import '../store/port/store.ts'" },
  { rule: 'nobody-evaluates', file: 'app/evaluate.ts', text: "import 'node:vm'" },
  { rule: 'port-knows-no-store', file: 'store/port/open.ts', text: "import '../sqlite/open.ts'" },
  { rule: 'stores-are-strangers', file: 'store/postgres/open.ts', text: "import '../sqlite/open.ts'" },
  { rule: 'only-app-names-a-store', file: 'records/open.ts', text: "import '../store/sqlite/open.ts'" },
  { rule: 'ast-has-no-behaviour', file: 'query/ast/node.ts', text: "import '../filter/match.ts'" },
  { rule: 'commands-are-loaded-late', file: 'cli/program.ts', text: "import './commands/serve.ts'" },
  { rule: 'no-cycles', file: 'structure/a.ts', text: "import './b.ts'" },
  { rule: 'nothing-unresolved', file: 'structure/lost.ts', text: "import './nowhere.ts'" },
  { rule: 'tests-stay-outside', file: 'structure/test.ts', text: "import '../../test/help.ts'" },
  { rule: 'only-declared-packages', file: 'structure/random.ts', text: "import 'fast-check'" },
]

/** What the planted files import; nothing here breaks a rule. */
const SURROUNDINGS = {
  'src/query/leaf.ts': 'export {}',
  'src/query/filter/match.ts': 'export {}',
  'src/http/server.ts': "import 'find-my-way'\nexport interface S { readonly a: 1 }",
  'src/store/sqlite/open.ts': [
    "import type Database from 'better-sqlite3'",
    "import '../port/store.ts'",
    'export type Connection = Database.Database',
  ].join('\n'),
  'src/store/port/store.ts': 'export {}',
  'src/cli/commands/serve.ts': 'export {}',
  'src/structure/b.ts': "import './a.ts'",
  'test/help.ts': 'export {}',
}

describe('the arrows gate', () => {
  let planted: CruiseResult
  const directories: string[] = []

  beforeAll(async () => {
    const files = Object.fromEntries(PLANTED.map(({ file, text }) => [`src/${file}`, text]))
    const directory = plantProject({ ...SURROUNDINGS, ...files })
    directories.push(directory)
    planted = await cruise(directory)
  })

  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })

  it('fails when an arrow points the wrong way', () => {
    expect(planted.exitCode).not.toBe(0)
  })

  it.each(PLANTED)('finds $rule in $file', ({ rule, file }) => {
    const found = planted.violations.filter((violation) => violation.from === `src/${file}`)
    expect(found.map((violation) => violation.rule)).toContain(rule)
  })

  it('finds nothing in a project that keeps the rules', async () => {
    const { 'src/structure/b.ts': _cycle, ...clean } = SURROUNDINGS
    const directory = plantProject(clean)
    directories.push(directory)
    expect(await cruise(directory)).toMatchObject({ exitCode: 0, violations: [] })
  })
})

describe('the rooms', () => {
  it('are those of ARCHITECTURE.md, with the same arrows', () => {
    expect(ROOMS).toEqual(roomsInArchitecture())
  })

  it('hold every file of src', () => {
    const homeless = sourceFiles().filter((file) => !Object.keys(ROOMS).some((room) => file.startsWith(`src/${room}/`)))
    expect(homeless).toEqual([])
  })

  it('give every dependency of package.json one home', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object }
    const homes = Object.keys(PACKAGE_HOMES).map((name) => new RegExp(`^${name}$`))
    for (const dependency of Object.keys(manifest.dependencies)) {
      expect(
        homes.filter((home) => home.test(dependency)),
        dependency,
      ).toHaveLength(1)
    }
  })
})

/** Reads the table under "Rooms": room, purpose, the rooms that it may use. */
function roomsInArchitecture(): Record<string, string[]> {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const section = text.slice(text.indexOf('## Rooms'), text.indexOf('The table is checked'))
  const rows = [...section.matchAll(/^\| ([a-z]+) \| .* \| ([a-z, –]+) \|$/gm)].slice(1)
  return Object.fromEntries(rows.map(([, room = '', uses = '']) => [room, uses === '–' ? [] : uses.split(', ')]))
}
