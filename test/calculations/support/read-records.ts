import { expect } from 'vitest'
import {
  type Calculation,
  DEFAULT_OUTPUT_LIMITS,
  type OutputFormat,
  type OutputLimits,
} from '../../../src/calculations/calculation.ts'

/** Reads a text in pieces that end at some places. */
export function readText(
  { source }: OutputFormat,
  text: string,
  { cuts = [], limits = {} }: { cuts?: readonly number[]; limits?: Partial<OutputLimits> } = {},
): readonly Calculation[] {
  if (source.kind !== 'text') throw new Error('the format is read from files')
  const reader = source.open({ ...DEFAULT_OUTPUT_LIMITS, ...limits })
  let from = 0
  for (const cut of [...cuts, text.length]) {
    reader.write(text.slice(from, cut))
    from = cut
  }
  return reader.end()
}

/** Reads JSON text of a document that is a single calculation. */
export function readOne(format: OutputFormat, document: unknown): Calculation {
  const text = JSON.stringify(document)
  expect(format.recognizes(text)).toBe(true)
  const [calculation, ...others] = readText(format, text)
  expect(others).toEqual([])
  if (calculation === undefined) throw new Error('nothing was read')
  return calculation
}

/** Holds that a text is read the same wherever it is cut into two. */
export function expectSameAtEveryCut(format: OutputFormat, text: string): void {
  const whole = readText(format, text)
  for (let cut = 0; cut <= text.length; cut++) expect(readText(format, text, { cuts: [cut] })).toEqual(whole)
}

/** A structure of rock salt as pymatgen writes it. */
export function rockSalt(metal: string, anion: string): object {
  const site = (element: string, abc: readonly number[]) => ({
    species: [{ element, occu: 1 }],
    abc,
    xyz: abc.map((x) => 2 * x),
    label: element,
    properties: {},
  })
  return {
    '@module': 'pymatgen.core.structure',
    '@class': 'Structure',
    lattice: {
      matrix: [
        [0, 2.1, 2.1],
        [2.1, 0, 2.1],
        [2.1, 2.1, 0],
      ],
    },
    sites: [site(metal, [0, 0, 0]), site(anion, [0.5, 0.5, 0.5])],
  }
}

/** Ten fields that no reader knows. */
export const TEN_UNKNOWN = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`unknown${index}`, index + 0.5]),
)
