import { isJsonArray, type Json } from '../../../kernel/json.ts'
import type { StructureWarning } from '../../crystal.ts'
import { findElement } from '../../elements/element.ts'
import { isHydrogenIsotope } from './species.ts'

/** Quantities of some formats that a material does not keep, and what is then not told apart or not right. */
export const DROPPED_QUANTITIES = {
  'Magnetic moments': 'structures that differ in them alone have one hash',
  Charges: 'the structure is taken as neutral',
  'Oxidation states': 'atoms are told by their elements alone',
  Isotopes: 'masses and the density are those of the natural elements',
  'Boundary conditions': 'the structure repeats along all three lattice vectors',
} as const

export type DroppedQuantity = keyof typeof DROPPED_QUANTITIES

/** The code of the warnings about what is not kept. */
const DROPPED = 'dropped'

const MOST_EXAMPLES = 4

/** Collects, while a file is read, what of it is not kept; each quantity is told once, by the names that the file has for it. */
export class DroppedQuantities {
  /** Most files have nothing to note. */
  #examples: Map<DroppedQuantity, Set<string>> | undefined

  note(quantity: DroppedQuantity, name: string): void {
    this.#examples ??= new Map()
    const names = this.#examples.get(quantity) ?? new Set()
    if (names.size <= MOST_EXAMPLES) names.add(name)
    this.#examples.set(quantity, names)
  }

  /** Notes what the declared type of an atom says beside its element: `D`, `Fe3+`. */
  noteType(type: string, element: string): void {
    if (type === element) return
    this.noteIsotope(type, element)
    const [, before, , after] = CHARGE.exec(type) ?? []
    if (CHARGE.test(type) && Number(before ?? after ?? 1) !== 0) this.note('Oxidation states', type)
  }

  /** Notes a name such as `D`, which stands for hydrogen of another mass. */
  noteIsotope(name: string, element: string): void {
    if (element === 'H' && isHydrogenIsotope(name)) this.note('Isotopes', name)
  }

  /** Notes a mass (Da) that is not that of the natural element. */
  noteMass(element: string, mass: number | undefined): void {
    if (isotopeOfMass(element, mass) !== undefined) this.note('Isotopes', `${element} of mass ${mass}`)
  }

  /** Each quantity that was noted, with some of its names and what follows. */
  get told(): readonly {
    readonly quantity: DroppedQuantity
    readonly names: readonly string[]
    readonly consequence: string
  }[] {
    return [...(this.#examples ?? [])].map(([quantity, names]) => {
      const list = [...names]
      const shown = list.length > MOST_EXAMPLES ? [...list.slice(0, MOST_EXAMPLES), 'and more'] : list
      return { quantity, names: shown, consequence: DROPPED_QUANTITIES[quantity] }
    })
  }

  get warnings(): readonly StructureWarning[] {
    if (this.#examples === undefined) return []
    return this.told.map(({ quantity, names, consequence }) => ({
      code: DROPPED,
      message: `${quantity} (${names.join(', ')}) are not kept: ${consequence}.`,
    }))
  }
}

/** `3+`, `+3`, `-`. */
const CHARGE = /(\d+(?:\.\d+)?)?([+-])(\d+(?:\.\d+)?)?/

/** Programs that need no masses write 1 for all elements. */
const SMALLEST_MASS = 1.5
const MASS_TOLERANCE = 0.4

/** The mass number of an atom that weighs (in Da) otherwise than the natural element does. */
export function isotopeOfMass(element: string, mass: Json | undefined): number | undefined {
  const natural = findElement(element)?.mass
  if (typeof mass !== 'number' || natural === undefined || mass < SMALLEST_MASS) return undefined
  const isOther = Math.abs(mass - natural) > MASS_TOLERANCE + natural / 100
  return isOther ? Math.round(mass) : undefined
}

/** Tells whether a value, or one of those within it, is a number other than 0. */
export function hasNonZero(value: Json | undefined): boolean {
  return isJsonArray(value) ? value.some(hasNonZero) : typeof value === 'number' && value !== 0
}
