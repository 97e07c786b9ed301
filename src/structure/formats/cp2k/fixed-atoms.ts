import type { FileAtom } from '../common/file-atoms.ts'
import { readCount, wordsOf } from '../common/text.ts'
import type { Section } from './input.ts'

/** The first and the last of a row of atoms, counted from 1. */
type AtomRange = readonly [first: number, last: number]

/** Applies the constraints that hold atoms by their numbers; any other stays in the rest. */
export function withFixed(input: Section, atoms: readonly FileAtom[]): readonly FileAtom[] {
  /** For each axis, by how many more ranges an atom is held than the one before it. */
  const changes = [...'XYZ'].map((axis) => ({ axis, steps: new Int32Array(atoms.length + 1), held: 0 }))
  const constraints = input.sections('MOTION').flatMap((motion) => motion.sections('CONSTRAINT'))
  for (const section of constraints.flatMap((one) => one.sections('FIXED_ATOMS'))) {
    const { ranges, axes } = readConstraint(section)
    for (const { steps } of changes.filter(({ axis }) => axes.includes(axis))) {
      for (const [first, last] of ranges.filter(([one]) => one <= atoms.length)) {
        steps[first - 1] = (steps[first - 1] ?? 0) + 1
        const end = Math.min(last, atoms.length)
        steps[end] = (steps[end] ?? 0) - 1
      }
    }
  }
  return atoms.map((atom, index) => {
    for (const change of changes) change.held += change.steps[index] ?? 0
    const [x, y, z] = changes.map(({ held }) => held === 0) as [boolean, boolean, boolean]
    return x && y && z ? atom : { ...atom, details: { ...atom.details, movable: [x, y, z] } }
  })
}

/** Which atoms a section holds, along which axes; none where it says more than that. */
function readConstraint(section: Section): { readonly ranges: readonly AtomRange[]; readonly axes: string } {
  const isPlain = section.rows.every(({ keyword }) => /^(?:LIST|COMPONENTS_TO_FIX)$/i.test(keyword))
  const ranges = section.rows
    .filter(({ keyword }) => /^LIST$/i.test(keyword))
    .flatMap(({ value }) => wordsOf(value).map(readRange))
  if (!isPlain || ranges.includes(undefined)) return { ranges: [], axes: '' }
  section.takeAll('LIST')
  const axes = section.take('COMPONENTS_TO_FIX')?.value.toUpperCase() ?? 'XYZ'
  return { ranges: ranges.filter((range) => range !== undefined), axes }
}

/** `1..4`, or `7`. */
function readRange(word: string): AtomRange | undefined {
  const [first, last = first, ...more] = word.split('..').map(readCount)
  if (first === undefined || last === undefined || more.length > 0 || first < 1 || last < first) return undefined
  return [first, last]
}
