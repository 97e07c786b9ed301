import { mixtureWords } from './mixtures.ts'
import type { Scene } from './scene.ts'
import { legendOf } from './scene.ts'
import { cross, dot, length, type Matrix3, type Vector3 } from './vector.ts'

/** Says what is drawn in one sentence, for those who do not see it. */
export function describe(scene: Scene): string {
  const { structure, notes, layers } = scene
  if (layers !== undefined) return layers.told
  const kinds = legendOf(structure)
  const parts = kinds.map(({ symbol, count }) => `${count} ${symbol}`).join(', ')
  const isMolecule = !structure.periodic.includes(true)
  const place = isMolecule ? 'not periodic' : `in a cell of ${cellWords(structure.lattice)}`
  const around = kinds.flatMap(({ symbol }) => coordinationWords(scene, symbol))
  const bonds = around.length === 0 ? 'no bonds' : around.slice(0, MOST_KINDS_TOLD).join('; ')
  const shared = scene.mixtures.flatMap((mixture) => (mixture === null ? [] : [mixtureWords(mixture)]))
  const mixtures = shared.length === 0 ? [] : [`Sites have ${shared.slice(0, MOST_KINDS_TOLD).join('; ')}.`]
  const count = countWords(structure.species.length, shared.length === 0 ? 'atom' : 'site')
  return [`${count} (${parts}), ${place}: ${bonds}.`, ...mixtures, ...notes].join(' ')
}

const MOST_KINDS_TOLD = 4

function countWords(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}

function cellWords([a, b, c]: Matrix3): string {
  const lengths = [a, b, c].map((vector) => length(vector).toFixed(3))
  const angles = [
    [b, c],
    [c, a],
    [a, b],
  ].map(([u, v]) =>
    degreesBetween(u as Vector3, v as Vector3)
      .toFixed(1)
      .replace(/[.]0$/, ''),
  )
  return `${told(['a', 'b', 'c'], lengths)} Å, ${told(['α', 'β', 'γ'], angles)}°`
}

/** `a = b = 3.000, c = 5.000`. */
function told(names: readonly string[], values: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const [index, value] of values.entries())
    groups.set(value, [...(groups.get(value) ?? []), names[index] as string])
  return [...groups].map(([value, equal]) => `${equal.join(' = ')} = ${value}`).join(', ')
}

function degreesBetween(u: Vector3, v: Vector3): number {
  return (Math.atan2(length(cross(u, v)), dot(u, v)) * 180) / Math.PI
}

/** `each Na is bonded to 6 Cl`, `O is bonded to 2 to 3 Si`; nothing of an element without bonds. */
function coordinationWords({ structure, neighbours }: Scene, symbol: string): string[] {
  const { starts, atoms } = neighbours
  const counts: number[] = []
  const others = new Set<string>()
  for (const [site, element] of structure.species.entries()) {
    if (element !== symbol) continue
    const [start, end] = [starts[site] as number, starts[site + 1] as number]
    counts.push(end - start)
    for (const other of atoms.subarray(start, end)) others.add(structure.species[other] as string)
  }
  // It is on shared sites alone, which are told of by their largest share.
  if (counts.length === 0) return []
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  if (most === 0) return []
  const number = fewest === most ? `${most}` : `${fewest} to ${most}`
  return [`${counts.length === 1 ? '' : 'each '}${symbol} is bonded to ${number} ${[...others].join(' and ')}`]
}
