import { readVectorText } from '../../kernel/whole-vector.ts'
import type { FoundSymmetry } from '../symmetry/symmetry-report.ts'
import { FINGERPRINT_LENGTH, fingerprintDistance } from './fingerprint.ts'
import { prototypeLabel } from './prototype-label.ts'
import { PROTOTYPES } from './prototype-table.ts'

/** A named kind of crystal that many crystals are. */
export interface NamedPrototype {
  /** `Halite, Rock Salt` */
  readonly name: string
  /** `AB_cF8_225_a_b` */
  readonly aflow: string
  /** `B1`; null where it has none. */
  readonly strukturbericht: string | null
}

/** What a crystal is a kind of. */
export interface Prototype {
  readonly label: string
  /** `cF8` */
  readonly pearson: string
  readonly named: NamedPrototype | null
}

/** Of crystals that have the label of a prototype, those that are farther from it are another one. */
const FARTHEST = 0.35

interface Entry extends NamedPrototype {
  readonly numbers: Uint16Array
}

let entries: ReadonlyMap<string, readonly Entry[]> | null = null

/** Finds the prototype of a crystal: the nearest of those that have its label. */
export function prototypeOf(symmetry: FoundSymmetry, fingerprint: Uint16Array): Prototype | null {
  const label = prototypeLabel(symmetry)
  if (label === null) return null
  entries ??= entriesByLabel()
  let [nearest, least]: [Entry | null, number] = [null, FARTHEST]
  for (const entry of entries.get(label) ?? []) {
    const distance = fingerprintDistance(entry.numbers, fingerprint)
    if (distance <= least) [nearest, least] = [entry, distance]
  }
  const { name, aflow, strukturbericht } = nearest ?? {}
  const named =
    name === undefined || aflow === undefined ? null : { name, aflow, strukturbericht: strukturbericht ?? null }
  return { label, pearson: pearsonSymbol(symmetry), named }
}

/** With the atoms of the rhombohedral cell where that is the primitive one, as prototypes are called: `hR2`. */
function pearsonSymbol({ pearsonSymbol: symbol }: FoundSymmetry): string {
  return symbol.startsWith('hR') ? `hR${Number(symbol.slice(2)) / 3}` : symbol
}

function entriesByLabel(): ReadonlyMap<string, readonly Entry[]> {
  const byLabel = new Map<string, Entry[]>()
  for (const [label, name, aflow, strukturbericht, text] of PROTOTYPES) {
    const numbers = new Uint16Array(FINGERPRINT_LENGTH)
    readVectorText(Buffer.from(text), numbers, 0, FINGERPRINT_LENGTH)
    const entry = { name, aflow, strukturbericht, numbers }
    const known = byLabel.get(label)
    if (known === undefined) byLabel.set(label, [entry])
    else known.push(entry)
  }
  return byLabel
}
