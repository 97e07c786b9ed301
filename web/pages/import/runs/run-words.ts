import { functionalWords, programText } from '../../../../src/page/property-words.ts'
import { type PropertyEntry, summaryText } from '../../../properties/shown-properties.ts'
import type { RunState, SaidRun } from './run-row.ts'

export const STATE_WORDS: Readonly<Record<RunState, string>> = {
  new: 'New',
  there: 'There already',
  same: 'Twice here',
  stored: 'Stored',
  refused: 'Cannot be read',
}

/** The program with its version. */
export function programWords({ code }: SaidRun): string {
  if (code === undefined) return ''
  return code.version === null ? programText(code.name) : `${programText(code.name)} ${code.version}`
}

export function methodWords({ group }: SaidRun): string {
  return group === undefined ? '' : functionalWords(group)
}

/** The value of a property that a calculation gives; empty where it gives none. */
export function valueWords({ properties = [] }: SaidRun, name: string): string {
  const found = properties.find((one) => one.name === name)
  if (found === undefined) return ''
  const entry: PropertyEntry = { group: '', propertyId: null, jobId: null, summary: found }
  return summaryText(entry) ?? ''
}

/** Folder and file, each for itself, without the folder that all are in. */
export function placeWithin(root: string, path: string): readonly [folder: string, file: string] {
  const within = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  const slash = within.lastIndexOf('/')
  return [within.slice(0, Math.max(0, slash)), within.slice(slash + 1)]
}

/** How many calculations stand where, in a sentence. */
export function countWords(counts: Readonly<Record<RunState, number>>): string {
  const parts = [
    [counts.stored, 'is stored', 'are stored'],
    [counts.new, 'is new', 'are new'],
    [counts.there, 'is there already', 'are there already'],
    [counts.same, 'is the same as another one here', 'are the same as others here'],
    [counts.refused, 'cannot be read', 'cannot be read'],
  ] as const
  const [first, ...others] = parts.filter(([count]) => count > 0)
  if (first === undefined) return 'No calculation was found.'
  const begin = `${calculations(first[0])} ${first[0] === 1 ? first[1] : first[2]}`
  return `${[begin, ...others.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)].join(', ')}.`
}

/** `1 calculation`, `1,200 calculations`. */
export function calculations(count: number): string {
  return `${count.toLocaleString('en')} calculation${count === 1 ? '' : 's'}`
}
