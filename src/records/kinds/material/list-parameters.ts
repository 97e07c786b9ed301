import type { JsonObject } from '../../../kernel/json.ts'
import { nearestName } from '../../../kernel/names.ts'
import { ELEMENT_CLASS_NAMES, elementsOfClass, readElementClass } from '../../../page/elements.ts'
import { anonymousFormula, readAnonymousFormula, withCapitals } from '../../../page/formula-spelling.ts'
import { readIon } from '../../../page/ion.ts'
import { readComposition, readElement } from '../../../structure/chemistry/read-composition.ts'
import { ELEMENTS } from '../../../structure/elements/element.ts'
import { reducedFormula } from '../../../structure/formula.ts'
import { readSpaceGroup } from '../../../structure/symmetry/space-group-setting.ts'
import type { ListParameter, ParameterReading } from '../../record-kind.ts'

/** Sets of materials have no elements, and are no answer to what is asked of elements. */
const HAS_ELEMENTS = { nElements: { $gte: 1 } }

/** Parameters of lists of materials beside those of all. Values are put into the spelling of the field before they are compared. */
export const MATERIAL_PARAMETERS: readonly ListParameter[] = [
  {
    name: 'formula',
    description:
      'Only materials of this formula, in any order of the elements, with spaces, subscripts or brackets, multiplied or not; ' +
      'or of one of several, with commas between them.',
    example: 'O2Ti',
    read: (text) => anyOf('formula', text, readFormula),
  },
  {
    name: 'formulaAnonymous',
    description: 'Only materials of this formula with letters for elements, in any order: ABC3 for SrTiO3.',
    example: 'ABC3',
    read: (text) => anyOf('anonymousFormula', text, readAnonymous),
  },
  elementsParameter(
    'elements',
    'Only materials that contain all of these elements, and perhaps others.',
    (elements) => ({ elements: { $all: elements } }),
  ),
  elementsParameter('elementsAny', 'Only materials that contain at least one of these elements.', (elements) => ({
    elements: { $in: elements },
  })),
  elementsParameter('elementsOnly', 'Only materials that contain no other elements than these.', (elements) => ({
    ...HAS_ELEMENTS,
    elements: { $not: { $elemMatch: { $nin: elements } } },
  })),
  elementsParameter('elementsNone', 'Only materials that contain none of these elements.', (elements) => ({
    ...HAS_ELEMENTS,
    elements: { $nin: elements },
  })),
  {
    name: 'elementClasses',
    description:
      'Only materials that contain an element of each of these classes: halogen, chalcogen, rare earth and others, with commas between them.',
    example: 'rare earth,halogen',
    read: (text) =>
      allOf(text, readClass, (classes) => ({
        $and: classes.map((name) => ({ elements: { $in: elementsOfClass(name) as string[] } })),
      })),
  },
  {
    name: 'oxidationStates',
    description: 'Only materials that name all of these oxidation states, in any spelling, with commas between them.',
    example: 'Fe3+',
    read: (text) => allOf(text, readIonValue, (ions) => ({ oxidationStates: { $all: [...ions] } })),
  },
  {
    name: 'chemicalSystem',
    description: 'Only materials of exactly these elements, in any order, with hyphens or commas between them.',
    example: 'Ti-O',
    read: (text) => elementsIn(text, (elements) => ({ chemicalSystem: [...elements].sort().join('-') })),
  },
  {
    name: 'spaceGroup',
    description:
      'Only materials of this space group: its number, or its symbol in any spelling and setting; or of one of several, with ' +
      'commas between them.',
    example: 'F m -3 m',
    read: (text) => anyOf('spaceGroup.number', text, readGroup),
  },
  {
    name: 'prototype',
    description:
      "Only materials of this prototype: its name or a word of it, its Strukturbericht symbol, AFLOW's label or the label of the record; or of one of " +
      'several, with commas between them, of symbols.',
    example: 'B1',
    read: readPrototype,
  },
  {
    name: 'isDisordered',
    description:
      'Only materials with shared or partly occupied sites or alternatives (`true`), or only those without (`false`).',
    example: 'true',
    read: (text) =>
      text === 'true' || text === 'false'
        ? { filter: { isDisordered: { $eq: text === 'true' } } }
        : { expected: 'true or false', hint: 'Write isDisordered=true.' },
  },
  {
    name: 'composition',
    description:
      'Only materials with so many atoms of an element in the cell, counted by their shares: a number, or a range whose ends may be left ' +
      'out; of several elements with commas between them.',
    example: 'Cu:0.5-0.9',
    read: compositionIn,
  },
]

/** `Cu:0.5`, `Cu:0.5-0.9`, `Cu:0.5-`, `Cu:-0.9`. */
const AMOUNT = /^([A-Za-z]{1,2}):(?:(\d*\.?\d+)|(\d*\.?\d+)?-(\d*\.?\d+)?)$/

function compositionIn(text: string): ParameterReading {
  const filter: Record<string, JsonObject> = {}
  for (const part of text.split(',')) {
    const [, symbol = '', exact, least, most] = AMOUNT.exec(part.trim()) ?? []
    const element = readElement(symbol)
    if (element === null || (exact ?? least ?? most) === undefined) {
      const hint = 'Write composition=Cu:0.5-0.9, composition=Cu:3,Au:1 or composition=Fe:3.5- for at least so many.'
      return { expected: 'elements with their numbers of atoms in the cell, and commas between them', hint }
    }
    const [low, high] = exact === undefined ? [least, most] : [Number(exact) - ROUNDING, Number(exact) + ROUNDING]
    filter[`composition.${element}`] = {
      ...(low === undefined ? {} : { $gte: Number(low) }),
      ...(high === undefined ? {} : { $lte: Number(high) }),
    }
  }
  return { filter }
}

/** Half of the last decimal that is kept. */
const ROUNDING = 5e-5

/** The value of a field that a text stands for, or what it should be. */
type ValueReading<Value> = { readonly value: Value } | { readonly expected: string; readonly hint: string }

/** One value, or several with commas between them, of which any will do. */
function anyOf(path: string, text: string, read: (part: string) => ValueReading<string | number>): ParameterReading {
  const values: (string | number)[] = []
  for (const part of text.split(',')) {
    const reading = read(part.trim())
    if (!('value' in reading)) return reading
    values.push(reading.value)
  }
  const [only] = values
  return { filter: { [path]: values.length === 1 && only !== undefined ? { $eq: only } : { $in: values } } }
}

/** Several values with commas between them, all of which have to hold. */
function allOf(
  text: string,
  read: (part: string) => ValueReading<string>,
  filterOf: (values: readonly string[]) => Extract<ParameterReading, { filter: unknown }>['filter'],
): ParameterReading {
  const values: string[] = []
  for (const part of text.split(',')) {
    const reading = read(part.trim())
    if (!('value' in reading)) return reading
    values.push(reading.value)
  }
  return { filter: filterOf(values) }
}

function readClass(text: string): ValueReading<string> {
  const value = readElementClass(text)
  if (value !== null) return { value }
  const near = nearestName(text, ELEMENT_CLASS_NAMES)
  const hint = `${near === null ? '' : `Did you mean ${near}? `}Classes are ${ELEMENT_CLASS_NAMES.join(', ')}.`
  return { expected: 'classes of elements with commas between them', hint }
}

function readIonValue(text: string): ValueReading<string> {
  const value = readIon(text)
  if (value !== null) return { value }
  const expected = 'elements with their oxidation states, with commas between them'
  return { expected, hint: 'Write oxidationStates=Fe3+,O2-, with the + percent-encoded as %2B.' }
}

const MOST_CHARACTERS = 100

/** A name has commas of its own, so that several are told apart only where each is a symbol. */
function readPrototype(text: string): ParameterReading {
  const name = text.trim()
  if (name === '' || name.length > MOST_CHARACTERS) {
    return { expected: 'the name or the symbol of a prototype', hint: 'Write prototype=perovskite or prototype=B1.' }
  }
  const symbols = name.split(',').map((part) => part.trim())
  const word = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^rock ?salt$/i, 'rock ?salt')
  return {
    filter: {
      $or: [
        ...['strukturbericht', 'aflow', 'label'].map((field) => ({ [`prototype.${field}`]: { $in: symbols } })),
        { 'prototype.name': { $regex: word, $options: 'i' } },
      ],
    },
  }
}

function readFormula(text: string): ValueReading<string> {
  const counts = readComposition(text)
  if (counts !== null) return { value: reducedFormula(counts) }
  const meant = readElement(text) ?? withCapitals(text)
  const hint =
    meant === null ? 'Write it with the symbols of elements: formula=SrTiO3.' : `Did you mean formula=${meant}?`
  return { expected: 'a chemical formula', hint }
}

function readAnonymous(text: string): ValueReading<string> {
  const counts = readAnonymousFormula(text)
  if (counts !== null) return { value: anonymousFormula(counts) }
  const composition = readComposition(text)
  const hint =
    composition === null
      ? 'Write formulaAnonymous=ABC3.'
      : `Did you mean formulaAnonymous=${anonymousFormula(composition)}?`
  return { expected: 'a formula with the letters A, B, C … for elements', hint }
}

function readGroup(text: string): ValueReading<number> {
  const value = readSpaceGroup(text)
  if (value !== null) return { value }
  const expected = 'the number of a space group, 1 to 230, or its Hermann-Mauguin symbol'
  return { expected, hint: 'Write spaceGroup=225 or spaceGroup=Fm-3m.' }
}

function elementsParameter(
  name: string,
  description: string,
  filterOf: (elements: readonly string[]) => { readonly elements: object; readonly nElements?: object },
): ListParameter {
  const read = (text: string): ParameterReading => elementsIn(text, (elements) => filterOf(elements) as never)
  return { name, description: `${description} Symbols with commas between them.`, example: 'Ti,O', read }
}

function elementsIn(
  text: string,
  filterOf: (elements: readonly string[]) => Extract<ParameterReading, { filter: unknown }>['filter'],
): ParameterReading {
  const parts = text.split(/[-–,;\s]+/).filter((part) => part !== '')
  const elements = parts.map(readElement)
  const wrong = elements.indexOf(null)
  if (parts.length > 0 && wrong === -1) return { filter: filterOf([...new Set(elements as string[])]) }
  const expected = 'symbols of elements with commas between them'
  return { expected, hint: parts.length === 0 ? 'Write Ti,O.' : hintForElement(parts[wrong] ?? '') }
}

function hintForElement(text: string): string {
  const counts = readComposition(text)
  if (counts !== null) return `Did you mean ${[...counts.keys()].sort().join(',')}?`
  const near = nearestName(
    text,
    ELEMENTS.flatMap(({ symbol, name }) => [symbol, name]),
  )
  return near === null ? `${JSON.stringify(text.slice(0, 40))} is no element.` : `Did you mean ${near}?`
}
