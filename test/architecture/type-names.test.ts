import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sourceFiles } from './source-files.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** At the top level of a file; there is no other indentation. */
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|(?:const )?enum) (\w+)/gm

/** Store behind the port that a file belongs to. */
const STORE = /^src\/store\/(sqlite|postgres)\//

interface DeclaredType {
  readonly name: string
  readonly file: string
}

function typesIn(file: string, text: string): readonly DeclaredType[] {
  return [...text.matchAll(DECLARATION)].map(([, name = '']) => ({ name, file }))
}

/** Both stores may give a name to what is the same in them, each once. */
function isOneInEachStore(files: readonly string[]): boolean {
  const stores = files.map((file) => STORE.exec(file)?.[1])
  return files.length === 2 && stores.includes('sqlite') && stores.includes('postgres')
}

/** Names of several types, each with the files that declare them. */
function sharedNames(types: readonly DeclaredType[]): readonly string[] {
  const byName = new Map<string, string[]>()
  for (const { name, file } of types) byName.set(name, [...(byName.get(name) ?? []), file])
  return [...byName].flatMap(([name, files]) =>
    files.length === 1 || isOneInEachStore(files) ? [] : [`${name}: ${files.toSorted().join(', ')}`],
  )
}

it('no name stands for two types', () => {
  const types = sourceFiles().flatMap((file) => typesIn(file, readFileSync(join(ROOT, file), 'utf8')))
  expect(types.length).toBeGreaterThan(1000)
  expect(sharedNames(types)).toEqual([])
})

it('tells a name of two types from one of each store', () => {
  const sharedIn = (files: Readonly<Record<string, string>>) =>
    sharedNames(Object.entries(files).flatMap(([file, text]) => typesIn(file, text)))
  const [sqlite, postgres] = ['src/store/sqlite/a.ts', 'src/store/postgres/a.ts']
  expect(sharedIn({ 'src/a.ts': 'type Row = 1\n', 'src/b.ts': 'export interface Row {}\n' })).toEqual([
    'Row: src/a.ts, src/b.ts',
  ])
  expect(sharedIn({ 'src/a.ts': '  type Row = 1\ntype Rows = 1\n', 'src/b.ts': 'type Row = 1\n' })).toEqual([])
  expect(sharedIn({ [sqlite]: 'class Reader {}\n', [postgres]: 'export abstract class Reader {}\n' })).toEqual([])
  expect(sharedIn({ [sqlite]: 'class Reader {}\n', 'src/store/port/a.ts': 'class Reader {}\n' })).toHaveLength(1)
})
