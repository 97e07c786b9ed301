// Which files can behave otherwise when others change: by what they import, the threads that they start, and the files and folders that tests name and read.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { ROOT } from './command.mjs'

const FOLDERS = ['bench', 'docs', 'samples', 'scripts', 'src', 'test', 'web']
/** Code that names files as data: of the program itself, imports and threads tell all. */
const NAMES_DATA = /^(bench|scripts|test)\//
const CODE = /\.(ts|tsx|mjs|cjs)$/

/** What every test stands on. */
const UNDER_ALL =
  /^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|test\/projects\.ts|test\/support\/(built|shared)-.*|scripts\/build.*\.mjs)$/

/** What a server hands out reaches those who ask it, whom no import tells of. */
const HANDED_OUT = [
  { from: /^web\//, to: /^test\/(browser\/.*|http\/pages)\.test\.ts$/ },
  { from: /^(docs\/(reference|how-to)|scripts\/guides)\//, to: /^test\/(browser\/docs|http\/pages)\.test\.ts$/ },
]

const IMPORTED = /^(?:import|export)\s(?!type\b)[^'"]*?from '(\.[^']+)'|\bimport '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
const THREAD = /\bworkerEntry\('([\w/-]+\.ts)'\)/g
const NAMED = /['"`}]([\w@./-]*[\w-])\/?['"`]/g

/** The files of the project, with those that each of them stands on. */
export class Reach {
  #files = new Set(FOLDERS.flatMap(filesIn))
  /** @type {Map<string, Set<string>>} By file, those that import it or name it; by folder with a slash behind, those that name it. */
  #users = new Map()

  constructor() {
    for (const file of this.#files) if (CODE.test(file)) for (const used of usedBy(file)) this.#add(used, file)
  }

  #add(used, user) {
    const users = this.#users.get(used)
    if (users === undefined) this.#users.set(used, new Set([user]))
    else users.add(user)
  }

  /**
   * The files of tests that a change of these files can reach.
   * @param {readonly string[]} changed paths from the root
   */
  testsOf(changed) {
    const tests = [...this.#files].filter((file) => file.endsWith('.test.ts'))
    if (changed.some((file) => UNDER_ALL.test(file))) return tests
    const reached = new Set([...changed, ...changed.flatMap((file) => this.#readersOf(file))])
    for (const file of reached) for (const user of this.#users.get(file) ?? []) reached.add(user)
    const handed = HANDED_OUT.filter(({ from }) => [...reached].some((file) => from.test(file)))
    return tests.filter((file) => reached.has(file) || handed.some(({ to }) => to.test(file))).sort()
  }

  /** All that the files of a folder stand on, themselves among them. */
  under(folder) {
    const under = new Set([...this.#files].filter((file) => file.startsWith(folder)))
    for (const file of under) if (CODE.test(file)) for (const used of usedBy(file)) under.add(used)
    return under
  }

  /** Those that name one of its folders: they read what is written there, whatever it does. */
  #readersOf(file) {
    const readers = []
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
      readers.push(...(this.#users.get(`${folder}/`) ?? []))
    return readers
  }
}

function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(ROOT, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    )
    .filter((file) => !file.includes('node_modules/'))
}

/** What a file stands on: files from the root, and folders with a slash behind. */
function* usedBy(file) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const beside = (path) => posix.join(dirname(file), path)
  for (const [, ...paths] of text.matchAll(IMPORTED)) yield beside(paths.find((path) => path !== undefined))
  for (const [, name] of text.matchAll(THREAD)) yield `src/${name}`
  if (!NAMES_DATA.test(file)) return
  for (const [, path] of text.matchAll(NAMED)) {
    for (const named of path.startsWith('.') ? [beside(path)] : [path, beside(path)]) {
      const kind = kindOf(named)
      // Who lists tests does not run them.
      if (kind !== null && !named.endsWith('.test.ts')) yield kind === 'folder' ? `${named}/` : named
    }
  }
}

const kinds = new Map()

/** Whether there is a file or a folder of that name, below the root. */
function kindOf(path) {
  if (path.startsWith('..') || path === '.') return null
  if (!kinds.has(path)) {
    const stats = statSync(join(ROOT, path), { throwIfNoEntry: false })
    kinds.set(path, stats === undefined ? null : stats.isDirectory() ? 'folder' : 'file')
  }
  return kinds.get(path)
}
