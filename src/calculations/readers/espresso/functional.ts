import type { Model } from '../../calculation.ts'

/** Functionals of pw.x by their short names: what kind they are, and how they are called. */
const FUNCTIONALS: ReadonlyMap<string, readonly [subtype: string, name: string]> = new Map(
  (
    [
      ['lda', 'pz vwn-rpa'],
      [
        'gga',
        'pbe revpbe pbesol rpbe pw91 blyp bp wc pw86pbe b86bpbe olyp hcth q2d sogga ev93 optbk88 optb86b ' +
          'vdw-df vdw-df2 vdw-df-c09 vdw-df2-c09 vdw-df-obk8 vdw-df-ob86 vdw-df2-b86r vdw-df-cx vdw-df3-opt1 vdw-df3-opt2 ' +
          'vdw-df-c6 rvv10 beef beef-vdw',
      ],
      ['meta-gga', 'tpss m06l tb09 scan r2scan rscan'],
      [
        'hybrid',
        'pbe0 b3lyp b3lyp-v1r x3lyp gaupbe scan0 ahcx ahps vdw-df-cx0 vdw-df2-0 vdw-df2-br0 vdw-df-c090 b86bpbex bhahlyp',
      ],
    ] as const
  )
    .flatMap(([subtype, names]) => names.split(' ').map((name) => [name, [subtype, name]] as const))
    .concat([
      ['lda', ['lda', 'pz']],
      ['gaup', ['hybrid', 'gaupbe']],
      // Of 2006: J. Heyd et al., J. Chem. Phys. 124, 219906.
      ['hse', ['hybrid', 'hse06']],
    ]),
)

/** Short names by the numbers of exchange, correlation, their gradient corrections, the nonlocal term and the meta-GGA, as pw.x prints them. */
const BY_NUMBERS: ReadonlyMap<string, string> = new Map([
  ['1 1 0 0 0 0', 'pz'],
  ['1 11 0 0 0 0', 'vwn-rpa'],
  ['1 1 1 1 0 0', 'bp'],
  ['1 4 2 2 0 0', 'pw91'],
  ['1 3 1 3 0 0', 'blyp'],
  ['1 4 3 4 0 0', 'pbe'],
  ['1 4 4 4 0 0', 'revpbe'],
  ['1 4 10 8 0 0', 'pbesol'],
  ['1 4 11 4 0 0', 'wc'],
  ['1 4 19 12 0 0', 'q2d'],
  ['1 4 21 4 0 0', 'pw86pbe'],
  ['1 4 22 4 0 0', 'b86bpbe'],
  ['0 3 6 3 0 0', 'olyp'],
  ['0 0 5 5 0 0', 'hcth'],
  ['1 4 25 0 0 0', 'ev93'],
  ['1 4 23 1 0 0', 'optbk88'],
  ['1 4 24 1 0 0', 'optb86b'],
  ['6 4 8 4 0 0', 'pbe0'],
  ['1 4 12 4 0 0', 'hse'],
  ['7 12 9 7 0 0', 'b3lyp'],
  ['9 14 28 13 0 0', 'x3lyp'],
  ['1 4 20 4 0 0', 'gaupbe'],
  ['1 4 4 0 1 0', 'vdw-df'],
  ['1 4 13 0 2 0', 'vdw-df2'],
  ['1 4 16 0 1 0', 'vdw-df-c09'],
  ['1 4 16 0 2 0', 'vdw-df2-c09'],
  ['1 4 23 0 1 0', 'vdw-df-obk8'],
  ['1 4 24 0 1 0', 'vdw-df-ob86'],
  ['1 4 26 0 2 0', 'vdw-df2-b86r'],
  ['1 4 27 0 1 0', 'vdw-df-cx'],
  ['1 4 13 4 3 0', 'rvv10'],
  ['1 4 7 6 0 1', 'tpss'],
  ['0 0 0 0 0 5', 'scan'],
])

/** Short names by the keywords that they stand for, which files have in their place. */
const BY_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['sla pz nogx nogc', 'pz'],
  ['sla pw pbx pbc', 'pbe'],
  ['sla pw pbe pbe', 'pbe'],
  ['sla pw psx psc', 'pbesol'],
  ['sla pw rpb pbc', 'revpbe'],
  ['sla pw ggx ggc', 'pw91'],
  ['sla lyp b88 blyp', 'blyp'],
  ['sla pz b88 p86', 'bp'],
  ['sla pw wcx pbc', 'wc'],
  ['pb0x pw pb0x pbc', 'pbe0'],
  ['sla pw hse pbc', 'hse'],
  ['b3lp b3lp b3lp b3lp', 'b3lyp'],
])

const MOST_NUMBERS = 6

/** The functional that an output names, by its short name, its keywords or its numbers; null where it is none of those that are known. */
export function modelNamed(name: string, numbers: readonly number[], hasHubbardU: boolean): Model | null {
  const words = name
    .toLowerCase()
    .split(/[\s+]+/)
    .filter((word) => word !== '')
  const padded = [...numbers, 0, 0].slice(0, MOST_NUMBERS).join(' ')
  const short =
    (words.length === 1 ? FUNCTIONALS.get(words[0] ?? '') : undefined) ??
    FUNCTIONALS.get(BY_KEYWORDS.get(words.join(' ')) ?? '') ??
    (numbers.length < 4 ? undefined : FUNCTIONALS.get(BY_NUMBERS.get(padded) ?? ''))
  if (short === undefined) return null
  const [subtype, functional] = short
  return { type: 'dft', subtype, functional: hasHubbardU ? `${functional}+u` : functional }
}
