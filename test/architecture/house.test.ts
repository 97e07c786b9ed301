import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { longestChain, stronglyConnected } from '../../scripts/house/components.ts'
import { houseFigures, singleUseFiles } from '../../scripts/house/figures.ts'
import { cycleFaults, folderCycles } from '../../scripts/house/folder-cycles.ts'
import { readSourceTree } from '../../scripts/house/source-tree.ts'
import { instrument } from '../../scripts/trace/instrument.ts'
import { STATIONS } from '../../scripts/trace/stations.ts'
import { stretchesOf } from '../../scripts/trace/stretches.ts'
import { plantProject } from './cruise.ts'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

/** Two folders that need each other through four files, and a file that nobody needs. */
const TREE = {
  'src/main.ts':
    "import { left } from './a/left.ts'\nimport type { Deep } from './b/deep/deep.ts'\nexport const main = (): Deep => left()\n",
  'src/a/left.ts': [
    "import { right } from '../b/right.ts'",
    'export function left(): number {',
    '  return [1].map((one) => one + right()).length',
    '}',
    '',
  ].join('\n'),
  'src/a/leaf.ts': 'export const LEAF = 1\n',
  'src/b/right.ts': "import { LEAF } from '../a/leaf.ts'\nexport const right = () => LEAF\n",
  'src/b/deep/deep.ts':
    "export type Deep = number\nexport class Deeper {\n  get deep() {\n    return import('../right.ts')\n  }\n}\n",
}

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

function planted(files: Readonly<Record<string, string>> = TREE) {
  const directory = plantProject(files)
  directories.push(directory)
  return readSourceTree(join(directory, 'src'))
}

describe('the figures of a tree of sources', () => {
  const files = planted()

  it('count files, lines, folders and named functions', () => {
    expect(houseFigures(files)).toMatchObject({
      files: 5,
      lines: 3 + 4 + 1 + 2 + 6,
      folders: 4,
      foldersOfOne: 3,
      linesOfFile: { median: 3, p90: 6, most: 6 },
      smallFiles: 5,
      functions: 4,
      linesOfFunction: { median: 3, p90: 3, most: 3 },
    })
  })

  it('find the names of functions, and where they begin', () => {
    const named = files.flatMap(({ path, functions }) =>
      functions.map(({ name, line, lines }) => [path, name, line, lines]),
    )
    expect(named).toEqual([
      ['a/left.ts', 'left', 2, 3],
      ['a/left.ts', null, 3, 1],
      ['b/deep/deep.ts', 'deep', 3, 3],
      ['b/right.ts', 'right', 2, 1],
      ['main.ts', 'main', 3, 1],
    ])
  })

  it('name the files that exactly one other imports, for its types or when it runs', () => {
    expect(singleUseFiles(files).map(({ path }) => path)).toEqual(['a/leaf.ts', 'a/left.ts', 'b/deep/deep.ts'])
  })

  it('measure the longest chain of imports that are there when the program runs', () => {
    expect(houseFigures(files).longestChain).toBe(4)
  })

  it('find folders that need each other where no file does', () => {
    expect(folderCycles(files)).toEqual([['a', 'b']])
  })
})

describe('a graph', () => {
  const graph = (arrows: Record<string, string>) =>
    new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to === '' ? [] : to.split(''))]))

  it('has its cycles found round about, and apart from each other', () => {
    const components = stronglyConnected(graph({ a: 'b', b: 'c', c: 'ad', d: 'e', e: 'd', f: 'a' }))
    expect(components).toEqual([['d', 'e'], ['a', 'b', 'c'], ['f']])
  })

  it('has a chain that counts each node of a cycle once', () => {
    expect(longestChain(graph({ a: 'b', b: 'ac', c: 'd', d: '', e: 'd' }))).toBe(4)
  })
})

describe('the gate for cycles of folders', () => {
  it('fails where a folder comes into a cycle, and names the imports', () => {
    const [fault] = cycleFaults(planted(), ['a'])
    expect(fault).toContain('b has come into a cycle of folders: a, b.')
    expect(fault).toContain('b/right.ts imports a/leaf.ts')
  })

  it('fails where a folder is listed that is in no cycle any more', () => {
    const faults = cycleFaults(planted({ 'src/a/leaf.ts': TREE['src/a/leaf.ts'] }), ['a'])
    expect(faults).toEqual(['a is in no cycle any more: take it off FOLDERS_IN_CYCLES in rooms.cjs.'])
  })

  it('says nothing of cycles that are listed', () => {
    expect(cycleFaults(planted(), ['a', 'b'])).toEqual([])
  })
})

describe('a traced module', () => {
  const source = [
    'const twice = (n: number): number => n * 2',
    'export class Counter {',
    '  #count = 0',
    '  get count(): number { return this.#count }',
    '  add(by = twice(1)) { this.#count += by; return () => ({ by }) }',
    '}',
  ].join('\n')
  const run = async () => {
    const code = instrument('a/counter.ts', source)
    const { Counter } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      Counter: new () => { add(): () => object; count: number }
    }
    const counter = new Counter()
    return { ...counter.add()(), count: counter.count }
  }

  it('does what it did, and tells each function that is entered', async () => {
    const told: string[] = []
    const global = globalThis as { entered?: (file: string, start: number) => void }
    global.entered = (file, start) => void told.push(`${file} ${source.slice(start, start + 5)}`)
    try {
      expect(await run()).toEqual({ by: 2, count: 2 })
    } finally {
      delete global.entered
    }
    expect(told).toEqual(['a/counter.ts (n: n', 'a/counter.ts add(b', 'a/counter.ts () =>', 'a/counter.ts get c'])
  })
})

describe('a trace', () => {
  const entry = (at: number, file: string, name: string, thread = 0) => ({
    called: { file, name, start: 0, line: 1, lines: 1 },
    thread,
    at,
  })

  it('puts what is entered into stations, each with its files and times', () => {
    const stretches = stretchesOf([
      entry(10, 'http/listener.ts', 'begin'),
      entry(11, 'query/plan/plan-query.ts', 'planQuery'),
      entry(13, 'kernel/json.ts', 'isJsonObject'),
      entry(14, 'store/sqlite/sqlite-records.ts', 'find', 2),
      entry(18, 'kernel/json.ts', 'isJsonObject'),
      entry(19, 'store/sqlite/sqlite-records.ts', 'find'),
    ])
    expect(stretches.map(({ station, at, took }) => [station, at, took])).toEqual([
      ['arrive', 0, 1],
      ['plan', 1, 8],
      ['run', 9, 0],
    ])
    expect(stretches[1]?.files.map(({ file, thread, at, took, calls }) => [file, thread, at, took, calls])).toEqual([
      ['query/plan/plan-query.ts', 0, 1, 2, 1],
      ['kernel/json.ts', 0, 3, 2, 2],
      ['store/sqlite/sqlite-records.ts', 2, 4, 4, 1],
    ])
  })

  it('begins its stations with functions that are there', () => {
    const functions = new Set(
      readSourceTree(SRC).flatMap(({ path, functions }) =>
        functions.map(({ name }) => `${path.slice(0, path.indexOf('/'))} ${name}`),
      ),
    )
    expect(STATIONS.flatMap(({ begins }) => begins).filter((begin) => !functions.has(begin))).toEqual([])
  })
})
