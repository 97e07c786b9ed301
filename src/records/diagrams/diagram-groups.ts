import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { EnergyEntry } from './energy-entries.ts'

const MOST_TOLD = 12

/** Group of energies, and how many entries have one of it. */
type CountedGroup = { readonly group: string; readonly count: number }

/** Groups of energies by which a phase diagram is made: those that were asked for, or the only one that there is. */
export function chosenGroups(entries: readonly EnergyEntry[], asked: readonly string[] | null): readonly string[] {
  const all = groupsOf(entries)
  const names = all.map(({ group }) => group)
  if (asked !== null) {
    if (entries.length === 0 || asked.some((group) => names.includes(group))) return asked
    throw wrongGroup(
      `No energy is of ${asked.map(groupText).join(' or ')}.`,
      all,
      'Ask for one of those that there are',
    )
  }
  if (names.length <= 1) return names
  throw wrongGroup('The energies are of several groups, which are not compared with each other.', all, 'Say which')
}

/** Groups of all energies, the most frequent first. */
export function groupsOf(entries: readonly EnergyEntry[]): readonly CountedGroup[] {
  const counts = new Map<string, number>()
  for (const { energies } of entries)
    for (const group of energies.keys()) counts.set(group, (counts.get(group) ?? 0) + 1)
  return [...counts]
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([group, count]) => ({ group, count }))
}

function wrongGroup(message: string, groups: readonly CountedGroup[], advice: string): AppError {
  const listed = groups.map(({ group, count }) => `${groupText(group)} (${count})`)
  const more = listed.length > MOST_TOLD ? ` and ${listed.length - MOST_TOLD} more` : ''
  const hint = `${advice}: ${listed.slice(0, MOST_TOLD).join(', ')}${more}.`
  return new AppError(RECORD_ERRORS.energyGroup, `${message} ${hint}`, { path: 'group', hint, groups })
}

function groupText(group: string): string {
  return group === '' ? 'no group (group=)' : group
}
