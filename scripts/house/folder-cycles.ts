import { dirname } from 'node:path'
import { type Graph, stronglyConnected } from './components.ts'
import type { SourceFile } from './source-tree.ts'

/** Which folders import from which; a folder is the files directly in it. Types are imports, too. */
export function folderGraph(files: readonly SourceFile[]): Graph {
  const graph = new Map<string, Set<string>>(files.map(({ path }) => [dirname(path), new Set()]))
  for (const { path, imports } of files) {
    for (const { file } of imports) if (dirname(file) !== dirname(path)) graph.get(dirname(path))?.add(dirname(file))
  }
  return graph
}

/** The folders that import from each other, directly or round about: the largest cycle first. */
export function folderCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  return stronglyConnected(folderGraph(files))
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => b.length - a.length)
}

/** What is wrong with the folders of a tree where some are known to be in cycles, a sentence each. */
export function cycleFaults(files: readonly SourceFile[], known: readonly string[]): readonly string[] {
  const cycles = folderCycles(files)
  const added = cycles.flatMap((cycle) =>
    cycle.filter((folder) => !known.includes(folder)).map((folder) => faultOf(folder, cycle, files)),
  )
  const inCycles = new Set(cycles.flat())
  const gone = known.filter((folder) => !inCycles.has(folder))
  return [
    ...added,
    ...gone.map((folder) => `${folder} is in no cycle any more: take it off FOLDERS_IN_CYCLES in rooms.cjs.`),
  ]
}

/** The imports that make it so are those into the cycle and those out of it. */
function faultOf(folder: string, cycle: readonly string[], files: readonly SourceFile[]): string {
  const inCycle = new Set(cycle)
  const arrows = files.flatMap(({ path, imports }) =>
    imports
      .map(({ file }) => ({ from: dirname(path), to: dirname(file), text: `  ${path} imports ${file}` }))
      .filter(
        ({ from, to }) => from !== to && inCycle.has(from) && inCycle.has(to) && (from === folder || to === folder),
      )
      .map(({ text }) => text),
  )
  return [`${folder} has come into a cycle of folders: ${cycle.join(', ')}.`, ...arrows].join('\n')
}
