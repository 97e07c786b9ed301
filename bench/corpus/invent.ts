import type { JsonObject } from '../../src/kernel/json.ts'
import type { Random } from './random.ts'

/** How many values `bench.rare` takes: each is the value of 0.1 % of the documents. */
export const RARE_VALUES = 1000
/** How many values `bench.group` takes: each is the value of 0.8 % of the documents. */
export const GROUPS = 125
/** How many different campaign tags there are. */
export const CAMPAIGNS = 400

const CODES = ['espresso', 'vasp', 'abinit', 'siesta', 'gpaw'] as const
const FUNCTIONALS = ['pbe', 'pbesol', 'lda', 'scan', 'hse06'] as const
const WORDS = [
  'relaxed',
  'checked',
  'phonons',
  'stable',
  'surface',
  'doped',
  'defect',
  'alloy',
  'layer',
  'bulk',
] as const

/**
 * The fields that users add to their records and that no schema knows: numbers, strings, booleans, nested objects, arrays
 * of scalars and of objects. A third of them are there for some documents only.
 */
export function inventFields(serial: number, random: Random): JsonObject {
  return {
    bench: {
      serial,
      rare: random.below(RARE_VALUES),
      group: random.below(GROUPS),
      converged: random.chance(0.4),
      energyEv: rounded(-random.next() * 12, 6),
      note: Array.from({ length: 6 }, () => random.pick(WORDS)).join(' '),
    },
    screening: {
      campaign: `campaign-${random.below(CAMPAIGNS)}`,
      method: { code: random.pick(CODES), functional: random.pick(FUNCTIONALS), cutoffRy: 30 + 5 * random.below(15) },
      kpoints: [1 + random.below(12), 1 + random.below(12), 1 + random.below(12)],
      bandGapsEv: Array.from({ length: 2 }, (_, index) => ({
        kind: index === 0 ? 'direct' : 'indirect',
        value: rounded(random.next() * 6, 4),
      })),
      ...(random.chance(0.3) ? { magnetization: rounded(random.next() * 5, 3) } : {}),
      ...(random.chance(0.1) ? { reviewer: random.pick(WORDS), accepted: random.chance(0.5) } : {}),
    },
  }
}

/** The tags of a document besides those of its prototype. */
export function inventTags(random: Random): readonly string[] {
  return [`batch-${random.below(CAMPAIGNS)}`, random.pick(WORDS)]
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
