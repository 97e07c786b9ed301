import { readElementClass, SYMBOLS } from '../../../src/page/elements.ts'
import { anonymousFormula, readAnonymousFormula, withCapitals } from '../../../src/page/formula-spelling.ts'
import { readIon } from '../../../src/page/ion.ts'
import { CRYSTAL_SYSTEMS, POINT_GROUPS } from '../../../src/page/symmetry-names.ts'
import type { Condition } from '../conditions.ts'
import { readForm } from './form.ts'
import { readStrukturbericht } from './strukturbericht.ts'
import { elementNamed, readFormula, readSpaceGroup, reducedFormula } from './tables.ts'

/** A name before a colon, or before what it says, whose values have spellings of their own. */
interface Key {
  /** In small letters. */
  readonly names: readonly string[]
  /** Whether its value may follow without a colon. */
  readonly isSpoken?: true
  readonly isOfCrystals: boolean
  /** What a value is that it does not have. */
  readonly isNot: string
  /** A value in quotes is taken as it is. */
  readonly read: (text: string, isQuoted: boolean) => Condition | null
}

function key(names: string, path: string, isNot: string, read: (text: string) => string | number | null): Key {
  return {
    names: names.split(', '),
    isOfCrystals: true,
    isNot,
    read: (text, isQuoted) => {
      const value = isQuoted ? text : read(text)
      return value === null ? null : { kind: 'values', path, values: [value] }
    },
  }
}

function spoken(one: Key): Key {
  return { ...one, isSpoken: true }
}

const PROTOTYPE_FIELDS = ['prototype.name', 'prototype.strukturbericht']
/** As people call prototypes that have another name. */
const OTHER_PROTOTYPES: Readonly<Record<string, string>> = {
  rocksalt: 'Halite, Rock Salt',
  'rock-salt': 'Halite, Rock Salt',
}

/** The prototype that has another name than people give it; null for others. */
export function prototypeNamed(text: string): string | null {
  return OTHER_PROTOTYPES[text.toLowerCase()] ?? null
}

export const KEYS: readonly Key[] = [
  spoken(key('formula', 'formula', 'no formula', formulaIn)),
  spoken(key('space group, spacegroup, sg, spg', 'spaceGroup.number', 'no space group', readSpaceGroup)),
  spoken(
    key('point group, pointgroup', 'spaceGroup.pointGroup', 'no point group', (text) => oneOf(text, POINT_GROUPS)),
  ),
  spoken(
    key('crystal system, crystalsystem', 'spaceGroup.crystalSystem', 'no crystal system', (text) =>
      oneOf(text.toLowerCase(), CRYSTAL_SYSTEMS),
    ),
  ),
  spoken(key('strukturbericht', 'prototype.strukturbericht', 'no symbol', (text) => readStrukturbericht(text) ?? text)),
  key('anonymous formula, anonymousformula, anonymous', 'anonymousFormula', 'no formula of letters', (text) => {
    const counts = readAnonymousFormula(text)
    return counts === null ? null : anonymousFormula(counts)
  }),
  key('class, element class', 'elementClasses', 'no class of elements', readElementClass),
  spoken(key('ion, oxidation state', 'oxidationStates', 'no oxidation state', readIon)),
  key('lattice, lattice type', 'lattice.type', 'no lattice', (text) => text.toUpperCase()),
  {
    names: ['form'],
    isOfCrystals: true,
    isNot: 'no formula with letters',
    read: (text) => readForm(text),
  },
  {
    names: ['system', 'chemical system', 'chemsys', 'chemicalsystem'],
    isOfCrystals: true,
    isNot: 'no chemical system',
    read: (text) => {
      const symbols = elementsIn(text)
      return symbols === null ? null : { kind: 'system', symbols: [...symbols].sort() }
    },
  },
  {
    names: ['element', 'elements'],
    isOfCrystals: true,
    isNot: 'no element',
    read: (text) => {
      const symbols = elementsIn(text)
      return symbols === null ? null : { kind: 'elements', mode: 'all', symbols }
    },
  },
  {
    names: ['prototype', 'structure type', 'structuretype'],
    isSpoken: true,
    isOfCrystals: true,
    isNot: 'no prototype',
    read: (text, isQuoted) => {
      const name = isQuoted ? text : prototypeNamed(text)
      if (name !== null) return { kind: 'values', path: 'prototype.name', values: [name] }
      return { kind: 'word', text, fields: PROTOTYPE_FIELDS }
    },
  },
  { names: ['name'], isOfCrystals: false, isNot: 'no name', read: (text) => ({ kind: 'name', text }) },
  { ...key('tag, tags, tagged', 'tags', 'no tag', (text) => text), isOfCrystals: false },
  { ...key('id, _id', '_id', 'no id', (text) => text), isOfCrystals: false },
]

function formulaIn(text: string): string | null {
  const counts = readFormula(SYMBOLS.has(text) ? text : (withCapitals(text) ?? text))
  return counts === null ? null : reducedFormula(counts)
}

function elementsIn(text: string): readonly string[] | null {
  const symbols = text.split(/[-–\s,]+/).map(elementNamed)
  return symbols.includes(null) ? null : [...new Set(symbols.filter((one) => one !== null))]
}

function oneOf(text: string, names: readonly string[]): string | null {
  return names.includes(text) ? text : null
}
