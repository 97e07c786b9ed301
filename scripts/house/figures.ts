import { dirname } from 'node:path'
import { longestChain } from './components.ts'
import { folderCycles } from './folder-cycles.ts'
import type { SourceFile } from './source-tree.ts'

/** How values are spread: the median, the ninetieth percentile, the greatest. */
export interface Spread {
  readonly median: number
  readonly p90: number
  readonly most: number
}

/** What can be counted in a tree of sources. */
export interface HouseFigures {
  readonly files: number
  readonly lines: number
  readonly folders: number
  /** Folders that hold one file. */
  readonly foldersOfOne: number
  readonly linesOfFile: Spread
  /** Files of at most 20 lines. */
  readonly smallFiles: number
  readonly functions: number
  readonly linesOfFunction: Spread
  /** Files that exactly one other imports, and their lines. */
  readonly singleUse: { readonly files: number; readonly lines: number; readonly small: number }
  /** Files on the longest way along imports of values. */
  readonly longestChain: number
  /** Folders that need each other, a cycle a list. */
  readonly folderCycles: readonly (readonly string[])[]
  /** Names of files that several folders have, and of functions that several files have. */
  readonly sharedNames: { readonly files: number; readonly functions: number }
}

/** Lines of a file that is hardly more than its imports. */
const SMALL_FILE = 20
const SMALL_SINGLE_USE = 40

/** Counts a tree. */
export function houseFigures(files: readonly SourceFile[]): HouseFigures {
  const functions = files.flatMap((file) => file.functions)
  const folders = filesOfFolders(files)
  const singleUse = singleUseFiles(files)
  return {
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    folders: folders.size,
    foldersOfOne: [...folders.values()].filter((count) => count === 1).length,
    linesOfFile: spreadOf(files.map(({ lines }) => lines)),
    smallFiles: files.filter(({ lines }) => lines <= SMALL_FILE).length,
    functions: functions.filter(({ name }) => name !== null).length,
    linesOfFunction: spreadOf(functions.filter(({ name }) => name !== null).map(({ lines }) => lines)),
    singleUse: {
      files: singleUse.length,
      lines: sum(singleUse.map(({ lines }) => lines)),
      small: singleUse.filter(({ lines }) => lines <= SMALL_SINGLE_USE).length,
    },
    longestChain: longestChain(valueGraph(files)),
    folderCycles: folderCycles(files),
    sharedNames: {
      files: shared(files.map(({ path }) => [path.slice(path.lastIndexOf('/') + 1), path])),
      functions: shared(files.flatMap(({ path, functions }) => functions.map(({ name }) => [name, path] as const))),
    },
  }
}

/** The files that exactly one other file imports. */
export function singleUseFiles(files: readonly SourceFile[]): readonly SourceFile[] {
  const users = new Map<string, Set<string>>()
  for (const { path, imports } of files) {
    for (const { file } of imports) users.set(file, (users.get(file) ?? new Set()).add(path))
  }
  return files.filter(({ path }) => users.get(path)?.size === 1)
}

function valueGraph(files: readonly SourceFile[]): Map<string, Set<string>> {
  return new Map(
    files.map(({ path, imports }) => [path, new Set(imports.filter((one) => !one.isTypeOnly).map(({ file }) => file))]),
  )
}

/** How many names are found in several files. */
function shared(named: readonly (readonly [name: string | null, path: string])[]): number {
  const paths = new Map<string, Set<string>>()
  for (const [name, path] of named) {
    if (name !== null && name !== 'constructor') paths.set(name, (paths.get(name) ?? new Set()).add(path))
  }
  return [...paths.values()].filter(({ size }) => size > 1).length
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return { median: at(0.5), p90: at(0.9), most: sorted.at(-1) ?? 0 }
}

function filesOfFolders(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return counts
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
