import { readVectorText } from '../../kernel/bytes.ts'
import { readTable } from '../../kernel/project-files.ts'
import { AXES, addToList, greatestCommonDivisor, IDENTITY, itemAt, type Matrix3 } from '../linear-algebra.ts'
import { AXIS_ORDERS, changeWithin } from '../symmetry/change-of-cell.ts'
import { type Orbit, orbitsOf } from '../symmetry/sites.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS } from '../symmetry/space-group-setting.ts'
import type { FoundGroup, FoundSymmetry, KnownGroup } from '../symmetry/symmetry-report.ts'
import { FINGERPRINT_LENGTH, fingerprintDistance } from './fingerprint.ts'

/** Groups that are each other's mirror image: the one with the lower number stands for both. */
const LOWER_TWIN: ReadonlyMap<number, number> = new Map([
  [78, 76],
  [95, 91],
  [96, 92],
  [145, 144],
  [153, 151],
  [154, 152],
  [170, 169],
  [172, 171],
  [179, 178],
  [181, 180],
  [213, 212],
])

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Label of what crystals of one prototype share, whatever their elements, origin and size: how many atoms there are of each species, the
 * group, and of each species the orbits in the conventional cell by multiplicity and site symmetry. `A3BC_221_3(4/mm.m)_1(m-3m)_1(m-3m)` for a
 * cubic perovskite. Null for more species than there are letters.
 */
export function prototypeLabel(symmetry: FoundSymmetry): string | null {
  const orbits = orbitsOf(symmetry)
  const labels = axisOrdersOf(symmetry).map((axes) => labelOf(symmetry, orbits, axes))
  // Which axis is the longest is no matter of the prototype: of all orders that the group leaves open, one label.
  return labels.reduce((first, label) => (first === null || label === null || first < label ? first : label))
}

/** Orders of the axes in which a crystal has the same group in the same setting: its own first. */
function axisOrdersOf({ crystalSystem, hallNumber }: FoundSymmetry): readonly Matrix3[] {
  if (crystalSystem !== 'orthorhombic') return [IDENTITY]
  const operators = operatorsOfSetting(itemAt(SPACE_GROUP_SETTINGS, hallNumber - 1))
  return AXIS_ORDERS.filter((axes) => axes === IDENTITY || changeWithin(operators, axes) !== undefined)
}

/** Site symmetry by other axes: `..2/m`, `m2m`. That of the identity and the inversion has none. */
function siteSymmetryAlong(symbol: string, axes: Matrix3): string {
  const along = symbol.match(/2\/m|[2m.]/g)
  if (axes === IDENTITY || along?.length !== AXES.length) return symbol
  return axes
    .map((axis) =>
      itemAt(
        along,
        axis.findIndex((factor) => factor !== 0),
      ),
    )
    .join('')
}

function labelOf({ number }: FoundSymmetry, orbits: readonly Orbit[], axes: Matrix3): string | null {
  const species = new Map<string, { count: number; orbits: string[] }>()
  for (const { element, multiplicity, siteSymmetry } of orbits) {
    const one = species.get(element) ?? { count: 0, orbits: [] }
    one.count += multiplicity
    one.orbits.push(`${multiplicity}(${siteSymmetryAlong(siteSymmetry, axes)})`)
    species.set(element, one)
  }
  if (species.size > LETTERS.length) return null
  const parts = [...species.values()].map(({ count, orbits }) => ({ count, text: orbits.sort().join('+') }))
  parts.sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1))
  const divisor = parts.reduce((common, { count }) => greatestCommonDivisor(common, count), 0)
  const formula = parts.map(({ count }, at) => {
    const times = count / divisor
    return `${itemAt([...LETTERS], at)}${times === 1 ? '' : times}`
  })
  const group = LOWER_TWIN.get(number) ?? number
  return [formula.join(''), group, ...parts.map(({ text }) => text)].join('_')
}

/** A named kind of crystal that many crystals are. */
export interface NamedPrototype {
  /** `Halite, Rock Salt` */
  readonly name: string
  /** `AB_cF8_225_a_b` */
  readonly aflow: string
  /** `B1`; null where it has none. */
  readonly strukturbericht: string | null
}

export interface Prototype {
  readonly label: string
  /** `cF8` */
  readonly pearson: string
  readonly named: NamedPrototype | null
}

/** Largest distance from a prototype; crystals with its label beyond it are another one. */
const FARTHEST = 0.35

interface PrototypeEntry extends NamedPrototype {
  readonly numbers: Uint16Array
}

let entries: ReadonlyMap<string, readonly PrototypeEntry[]> | null = null

/** Finds the prototype of a crystal: the nearest of those that have its label. */
export function prototypeOf(symmetry: FoundSymmetry | KnownGroup, fingerprint: Uint16Array): Prototype | null {
  const label = 'prototypeLabel' in symmetry ? symmetry.prototypeLabel : prototypeLabel(symmetry)
  if (label === null) return null
  entries ??= entriesByLabel()
  let [nearest, least]: [PrototypeEntry | null, number] = [null, FARTHEST]
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
function pearsonSymbol({ pearsonSymbol: symbol }: FoundGroup): string {
  return symbol.startsWith('hR') ? `hR${Number(symbol.slice(2)) / 3}` : symbol
}

function entriesByLabel(): ReadonlyMap<string, readonly PrototypeEntry[]> {
  const byLabel = new Map<string, PrototypeEntry[]>()
  for (const [label = '', name = '', aflow = '', symbol = '', text = ''] of readTable(
    'structure/matching/prototypes.tsv',
  )) {
    const numbers = new Uint16Array(FINGERPRINT_LENGTH)
    readVectorText(Buffer.from(text), numbers, 0, FINGERPRINT_LENGTH)
    const entry = { name, aflow, strukturbericht: symbol === '' ? null : symbol, numbers }
    addToList(byLabel, label, entry)
  }
  return byLabel
}
