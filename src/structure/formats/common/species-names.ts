import type { Json } from '../../../kernel/json.ts'
import type { CrystalSite, StructureWarning } from '../../crystal.ts'
import { elementOfNumber, findElement } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import { chargeOfType, readLabel, readType, type SpeciesReading } from './species.ts'
import { shorten } from './text.ts'

/** The species that a name stands for. */
export type NamedSpecies = Pick<CrystalSite, 'element' | 'isotope' | 'oxidationState'>

/** A name that was not plainly that of an element: what became of it, in how many places, and where the first is. */
interface Told {
  readonly readAs: string | null
  readonly line: number | undefined
  count: number
}

const MOST_NAMED = 8
const LONGEST_NAME = 200

/** Reads the names of the atoms of one file, whatever its format: a species, a guess that is told, no atom (null), or a refusal. */
export class SpeciesNames {
  readonly #told = new Map<string, Told>()
  readonly #types = new Map<string, SpeciesReading | undefined>()
  readonly #hint: string

  /** Takes the advice that a refusal gives: where the format has the symbols of its elements. */
  constructor(hint: string) {
    this.#hint = hint
  }

  /** Reads a symbol, with what may follow it: `Si`, `Fe3+`, `D`. */
  ofType(name: string, place: SourcePlace): NamedSpecies | null {
    const species = this.take(name, this.#typeOf(name), place)
    const oxidationState = species === null ? undefined : chargeOfType(name)
    return species === null || oxidationState === undefined ? species : { ...species, oxidationState }
  }

  /** Reads the name of an atom, whose letters and numbers carry no chemistry beyond the element: `Fe1`, `O2a`. */
  ofLabel(name: string, formula: ReadonlySet<string>, place: SourcePlace): NamedSpecies | null {
    return this.take(name, name.length > LONGEST_NAME ? undefined : readLabel(name, formula), place)
  }

  /** The element of an atomic number; 0 is no atom. */
  ofNumber(number: number, place: SourcePlace): NamedSpecies | null {
    const element = number === 0 ? null : elementOfNumber(number)?.symbol
    return this.take(`number ${number}`, element === undefined ? undefined : { element, sure: true }, place)
  }

  /** Takes a reading by rules that a format has for itself. */
  take(name: string, reading: SpeciesReading | undefined, place: SourcePlace): NamedSpecies | null {
    if (reading === undefined) {
      const message = `The species "${shorten(name)}" is no chemical element.`
      throw refusal(FORMAT_ERRORS.unknownSpecies, message, { hint: this.#hint, ...place })
    }
    const { element, sure, isotope } = reading
    if (element === null || !sure) this.#note(name, element, place)
    return element === null ? null : { element, ...(isotope === undefined ? {} : { isotope }) }
  }

  #typeOf(name: string): SpeciesReading | undefined {
    if (!this.#types.has(name)) this.#types.set(name, name.length > LONGEST_NAME ? undefined : readType(name))
    return this.#types.get(name)
  }

  #note(name: string, readAs: string | null, { line }: SourcePlace): void {
    const told = this.#told.get(name)
    if (told === undefined) this.#told.set(name, { readAs, line, count: 1 })
    else told.count++
  }

  /** What was guessed, and what was left out. */
  get warnings(): readonly StructureWarning[] {
    const all = [...this.#told]
    const guessed = all.filter(([, { readAs }]) => readAs !== null)
    const none = all.filter(([, { readAs }]) => readAs === null)
    const names = none.map(([name, { count }]) => `${name} (${count})`)
    return [
      ...warning(
        'species-assumed',
        guessed,
        `Read ${listed(guessed.map(([name, { readAs }]) => `${name} as ${readAs}`))}.`,
      ),
      ...warning(
        'no-atom',
        none,
        `What is called ${listed(names)} is no atom and is left out: the formula is that of the atoms that remain.`,
      ),
    ]
  }
}

function warning(code: string, told: readonly (readonly [string, Told])[], message: string): StructureWarning[] {
  const line = told[0]?.[1].line
  return told.length === 0 ? [] : [{ code, message, ...(line === undefined ? {} : { line }) }]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => shorten(name))
  return `${shown.join(', ')}${names.length > MOST_NAMED ? ' and more' : ''}`
}

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
