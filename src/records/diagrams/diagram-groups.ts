import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { EnergyEntry } from './energy-entries.ts'

const MOST_TOLD = 12

/** Groups of energies by which a phase diagram is made: those that were asked for, or the only one that there is. */
export function chosenGroups(entries: readonly EnergyEntry[], asked: readonly string[] | null): readonly string[] {
  const counts = countsOf(entries)
  if (asked !== null) {
    if (entries.length === 0 || asked.some((group) => counts.has(group))) return asked
    throw wrongGroup(
      `No energy is of ${asked.map(groupText).join(' or ')}.`,
      counts,
      'Ask for one of those that there are',
    )
  }
  const groups = [...counts.keys()]
  if (groups.length <= 1) return groups
  throw wrongGroup('The energies are of several groups, which are not compared with each other.', counts, 'Say which')
}

/** How many entries have an energy of each group, the most frequent first. */
function countsOf(entries: readonly EnergyEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { energies } of entries)
    for (const group of energies.keys()) counts.set(group, (counts.get(group) ?? 0) + 1)
  return new Map([...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)))
}

function wrongGroup(message: string, counts: ReadonlyMap<string, number>, advice: string): AppError {
  const listed = [...counts].map(([group, count]) => `${groupText(group)} (${count})`)
  const more = listed.length > MOST_TOLD ? ` and ${listed.length - MOST_TOLD} more` : ''
  const hint = `${advice}: ${listed.slice(0, MOST_TOLD).join(', ')}${more}.`
  const groups = [...counts].map(([group, count]) => ({ group, count }))
  return new AppError(RECORD_ERRORS.energyGroup, `${message} ${hint}`, { path: 'group', hint, groups })
}

function groupText(group: string): string {
  return group === '' ? 'no group (group=)' : group
}
