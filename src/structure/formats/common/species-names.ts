import type { Json } from '../../../kernel/json.ts'
import type { CrystalSite, StructureWarning } from '../../crystal.ts'
import { elementOfNumber, isotopeOfMass } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import { chargeOfType, readLabel, readType, type SpeciesReading } from './species.ts'
import { OF_ATOMS_THAT_REMAIN, shorten } from './text.ts'

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
  /** Masses that no isotope has. */
  readonly #masses = new Map<string, Told>()
  /** Where the format has the symbols of its elements. */
  readonly hint: string

  /** Takes the advice that a refusal gives: where the format has the symbols of its elements. */
  constructor(hint: string) {
    this.hint = hint
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
      throw refusal(FORMAT_ERRORS.unknownSpecies, message, { hint: this.hint, ...place })
    }
    const { element, sure, isotope } = reading
    if (element === null || !sure) note(this.#told, name, { readAs: element, place })
    return element === null ? null : { element, ...(isotope === undefined ? {} : { isotope }) }
  }

  /** The species with the mass number that a mass in Da says; a mass that no isotope has is left out, and told. */
  withMass<Species extends NamedSpecies>(
    species: Species | null,
    mass: Json | undefined,
    place: SourcePlace = {},
  ): Species | null {
    if (species === null || typeof mass !== 'number') return species
    const isotope = isotopeOfMass(species.element, mass)
    if (isotope === null) note(this.#masses, `${species.element} of ${mass}`, { readAs: null, place })
    return typeof isotope === 'number' ? { ...species, isotope } : species
  }

  #typeOf(name: string): SpeciesReading | undefined {
    if (!this.#types.has(name)) this.#types.set(name, name.length > LONGEST_NAME ? undefined : readType(name))
    return this.#types.get(name)
  }

  /** What was guessed, and what was left out. */
  get warnings(): readonly StructureWarning[] {
    const all = [...this.#told]
    const guessed = all.filter(([, { readAs }]) => readAs !== null)
    const none = all.filter(([, { readAs }]) => readAs === null)
    const masses = [...this.#masses]
    return [
      ...warning(
        'species-assumed',
        guessed,
        `Read ${listed(guessed.map(([name, { readAs }]) => `${name} as ${readAs}`))}.`,
      ),
      ...warning(
        'no-atom',
        none,
        `What is called ${listed(counted(none))} is no atom and is left out${OF_ATOMS_THAT_REMAIN}`,
      ),
      ...warning(
        'no-isotope',
        masses,
        `No isotope has the mass that is given to ${listed(counted(masses))}: it is left out.`,
      ),
    ]
  }
}

function note(
  all: Map<string, Told>,
  name: string,
  { readAs, place }: { readonly readAs: string | null; readonly place: SourcePlace },
): void {
  const told = all.get(name)
  if (told === undefined) all.set(name, { readAs, line: place.line, count: 1 })
  else told.count++
}

function counted(told: readonly (readonly [string, Told])[]): readonly string[] {
  return told.map(([name, { count }]) => `${name} (${count})`)
}

function warning(code: string, told: readonly (readonly [string, Told])[], message: string): StructureWarning[] {
  const line = told[0]?.[1].line
  return told.length === 0 ? [] : [{ code, message, ...(line === undefined ? {} : { line }) }]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => shorten(name))
  return `${shown.join(', ')}${names.length > MOST_NAMED ? ' and more' : ''}`
}
