import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtThread, type ThreadFile } from '../../src/kernel/worker-entry.ts'
import { ROOT } from '../command.mjs'
import { readSourceTree, type SourceFunction } from '../house/source-tree.ts'
import { instrument } from './instrument.ts'

const SOURCE = join(ROOT, 'src')
/** Beside `dist`, so that the program finds its manifest, its pages and its packages as it does there. */
const TRACED = join(ROOT, 'dist.traced')

/** A function of the traced program. */
export interface TracedFunction extends SourceFunction {
  readonly file: string
}

/** The program, made to tell which of its functions are entered. */
export interface TracedProgram {
  /** The command. */
  readonly main: string
  /** The function of a file that begins at a character of it. */
  function(file: string, start: number): TracedFunction
}

/** Makes the traced program from the sources that are there now; what has not changed since the last time stays. */
export function makeTracedProgram(): TracedProgram {
  for (const entry of readdirSync(SOURCE, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) makeFile(join(entry.parentPath, entry.name))
  }
  const functions = new Map<string, TracedFunction>()
  for (const { path: file, functions: its } of readSourceTree(SOURCE)) {
    for (const one of its) functions.set(`${file} ${one.start}`, { ...one, file })
  }
  return {
    main: join(TRACED, 'cli', 'main.js'),
    function(file, start) {
      const found = functions.get(`${file} ${start}`)
      if (found === undefined) throw new Error(`no function of ${file} begins at its character ${start}`)
      return found
    },
  }
}

function makeFile(from: string): void {
  const path = from.slice(SOURCE.length + 1).replaceAll('\\', '/')
  const to = join(TRACED, path.replace(/\.ts$/, '.js'))
  if (existsSync(to) && changedAt(to) > Math.max(changedAt(from), MAKER_CHANGED_AT)) return
  mkdirSync(dirname(to), { recursive: true })
  if (path.endsWith('.ts')) writeFileSync(to, instrument(path, readFileSync(from, 'utf8')))
  else cpSync(from, to)
  if (path.endsWith('-thread.ts')) makeThread(path as ThreadFile)
}

/** Puts a thread where the built program looks for it. */
function makeThread(path: ThreadFile): void {
  const place = join(TRACED, 'threads', builtThread(path))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, `import '../${path.replace(/ts$/, 'js')}'\n`)
}

const MAKER_CHANGED_AT = changedAt(fileURLToPath(new URL('./instrument.ts', import.meta.url)))

function changedAt(file: string): number {
  return statSync(file).mtimeMs
}
