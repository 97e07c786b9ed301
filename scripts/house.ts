/**
 * Prints what can be counted of the house: sizes of files and functions, files with one user, cycles of folders, and for each of the flows
 * through the program how many files and functions one real request enters.
 *
 *     npm run house
 *     npm run house -- --json
 *     npm run house -- --no-flows
 *     npm run house -- --flow 'list, uncached'      also names the files that it enters
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './command.mjs'
import { type HouseFigures, houseFigures, type Spread } from './house/figures.ts'
import { countFlows, type Flow } from './house/flows.ts'
import { readSourceTree } from './house/source-tree.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    'no-flows': { type: 'boolean', default: false },
    flow: { type: 'string' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const figures = houseFigures(readSourceTree(join(ROOT, 'src')))
const flows = values['no-flows'] ? [] : await countFlows()
if (values.json) say(JSON.stringify({ figures, flows }, null, 2))
else print(figures, flows)

function print(figures: HouseFigures, flows: readonly Flow[]): void {
  table(['what', 'value'], rowsOf(figures))
  for (const cycle of figures.folderCycles) say(`\ncycle of ${cycle.length}: ${cycle.join(', ')}`)
  if (flows.length === 0) return
  say('')
  table(
    ['flow', 'files', 'named functions', 'calls'],
    flows.map(({ name, files, functions, calls }) => [name, String(files), String(functions), String(calls ?? '–')]),
  )
  const named = flows.find(({ name }) => name === values.flow)
  for (const file of named?.entered ?? []) say(file)
}

function rowsOf(figures: HouseFigures): readonly (readonly string[])[] {
  const { files, lines, folders, singleUse, folderCycles } = figures
  const inCycles = folderCycles.reduce((total, { length }) => total + length, 0)
  return [
    ['files, lines, folders', `${files}, ${lines}, ${folders}`],
    ['folders of one file', `${figures.foldersOfOne}`],
    ['lines of a file', spread(figures.linesOfFile)],
    ['files of at most 20 lines', `${figures.smallFiles}`],
    ['named functions', `${figures.functions}`],
    ['lines of a function', spread(figures.linesOfFunction)],
    ['files that one other imports', `${singleUse.files} (${singleUse.lines} lines; ${singleUse.small} of at most 40)`],
    ['longest chain of imports of values', `${figures.longestChain} files`],
    ['folders in cycles', `${inCycles} in ${folderCycles.length} cycles`],
    ['names of files that several folders have', `${figures.sharedNames.files}`],
    ['names of functions that several files have', `${figures.sharedNames.functions}`],
  ]
}

function spread({ median, p90, most }: Spread): string {
  return `median ${median}, p90 ${p90}, most ${most}`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [heads, heads.map(() => '---'), ...rows]) say(`| ${row.join(' | ')} |`)
}
