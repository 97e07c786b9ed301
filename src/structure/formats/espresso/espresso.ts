import { fractionsOf } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  PERIODIC,
  type ReadOptions,
  type Rest,
  type StructureWarning,
} from '../../crystal.ts'
import { findElement, massOfAtom } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import { evaluateArithmetic } from '../common/arithmetic.ts'
import type { StructureFormat } from '../common/format.ts'
import { angstromPer } from '../common/length-units.ts'
import { valueOfText } from '../common/rest.ts'
import { elementNamed, readType } from '../common/species.ts'
import { withSpeciesTags } from '../common/species-labels.ts'
import { type NamedSpecies, SpeciesNames } from '../common/species-names.ts'
import { decimalColumns, oneLine, readNumber, requireAtoms, requireFewAtoms, shorten, wordsOf } from '../common/text.ts'
import { type Card, type CardLine, type EspressoInput, findCard, readEspressoInput, variableNumber } from './input.ts'
import { readEspressoLattice } from './lattice.ts'

/** Input of the plane-wave code pw.x of Quantum ESPRESSO. */
export const espressoFormat: StructureFormat = {
  name: 'espresso',
  title: 'Quantum ESPRESSO pw.x input',
  extensions: ['in', 'pwi', 'pwin', 'pw'],
  recognizes: (text) => /^[ \t]*&(?:control|system)\b/im.test(text) && /^[ \t]*ATOMIC_POSITIONS\b/im.test(text),
  parse: parseEspresso,
  print: printEspresso,
  writes: ['title', 'isotopes', 'labels', 'fixedAtoms', 'fixedDirections'],
}

/** Reads lattice and atoms of an input; everything else it says about the calculation is left out. */
export function parseEspresso(text: string, options: ReadOptions = {}): Crystal {
  if (/^[ \t]*(?:BEGIN_POSITIONS|FIRST_IMAGE)\b/im.test(text)) {
    throw refusal(FORMAT_ERRORS.notRepresentable, 'The input describes a path of several images.', {
      hint: 'Send one image as an input of pw.x.',
    })
  }
  const input = readEspressoInput(text)
  if ((variableNumber(input, 'space_group') ?? 0) !== 0) throw symmetryAdapted()
  requireOneOfEach(input)
  const warnings: StructureWarning[] = []
  const { lattice, alat } = readEspressoLattice(input, warnings)
  const card = findCard(input, 'ATOMIC_POSITIONS')
  if (card === undefined) throw refusal(FORMAT_ERRORS.noStructure, 'The input has no card ATOMIC_POSITIONS.', {})
  const rows = rowsOf(input, card, warnings)
  requireFewAtoms(rows.length, options, { line: card.line })
  const names = new SpeciesNames('A label begins with the symbol of an element: Fe, Fe1, Fe_up.')
  const species = readSpecies(input, names, warnings)
  const places = rows.map(readPlace)
  const unit = unitOfPlaces(input, card, warnings)
  const fractions = toFractions(unit, places, { lattice, alat }, card)
  const sites = rows.flatMap((row, index): readonly CrystalSite[] => {
    const words = wordsOf(row.text)
    const label = words[0] ?? ''
    const movable = readFreedom(words.slice(4), row)
    const named = species.get(label) ?? names.take(label, readType(label), { line: row.line })
    if (named === null) return []
    return [
      {
        ...named,
        fraction: fractions[index] as Vector3,
        label,
        ...(movable === undefined ? {} : { movable }),
      },
    ]
  })
  warnings.push(...names.warnings, ...undeclared(input, rows), ...openBoundaries(input))
  const title = input.variables.get('title') ?? ''
  return requireAtoms({
    title: title === '' ? (input.variables.get('prefix') ?? '') : title,
    lattice,
    periodic: PERIODIC,
    sites: withSpeciesTags(sites, 'kinds', warnings),
    warnings,
    rest: restOfInput(input),
  })
}

/** Variables that only repeat the lists of the cards, and cards that are the structure. */
const COUNTS = ['nat', 'ntyp']
const STRUCTURE_CARDS: ReadonlySet<string> = new Set(['ATOMIC_POSITIONS', 'CELL_PARAMETERS'])

/** Settings of the calculation: variables, and cards as texts. */
function restOfInput({ variables, cards }: EspressoInput): Rest {
  for (const name of COUNTS) variables.get(name)
  const others = cards.filter(({ name }) => !STRUCTURE_CARDS.has(name))
  return {
    values: Object.fromEntries([
      ...variables.rest.map(([name, text]) => [name, valueOfText(text)]),
      ...others.map(({ name, option, lines }) => [name, [option, ...lines.map(({ text }) => text)].join('\n').trim()]),
    ]),
    leftOut: [],
  }
}

function symmetryAdapted(): Error {
  const message = 'The input gives only the inequivalent atoms (space_group, crystal_sg).'
  const hint = 'List all atoms of the cell under ATOMIC_POSITIONS.'
  return refusal(FORMAT_ERRORS.notRepresentable, message, { hint })
}

/** Outputs of relaxations repeat the cards, step after step. */
function requireOneOfEach({ cards }: EspressoInput): void {
  for (const name of ['ATOMIC_POSITIONS', 'CELL_PARAMETERS']) {
    const [, second] = cards.filter((card) => card.name === name)
    if (second === undefined) continue
    const message = `The card ${name} is there more than once.`
    const hint = 'Send one structure, as an input of pw.x.'
    throw refusal(FORMAT_ERRORS.notRepresentable, message, { line: second.line, hint })
  }
}

function rowsOf(input: EspressoInput, card: Card, warnings: StructureWarning[]): readonly CardLine[] {
  const count = variableNumber(input, 'nat')
  if (card.lines.length === 0)
    throw refusal(FORMAT_ERRORS.noStructure, 'ATOMIC_POSITIONS lists no atoms.', { line: card.line })
  if (count === undefined) {
    const message = 'The input has no nat; all listed atoms are taken.'
    warnings.push({ code: 'count-missing', message, line: card.line })
  } else if (count !== card.lines.length) {
    throw refusal(FORMAT_ERRORS.inconsistentCounts, `nat is ${count}, but ${card.lines.length} atoms are listed.`, {
      line: card.line,
      hint: 'nat is the number of lines under ATOMIC_POSITIONS.',
    })
  }
  return card.lines
}

function readPlace(row: CardLine): Vector3 {
  const words = wordsOf(row.text)
  const values = words.slice(1, 4).map((word) => readNumber(word) ?? evaluateArithmetic(word))
  const wrong = values.indexOf(undefined)
  if (values.length < 3 || wrong !== -1) {
    const text = wrong === -1 ? row.text : (words[wrong + 1] ?? '')
    throw refusal(FORMAT_ERRORS.malformed, `The position "${shorten(text)}" is not three numbers.`, { line: row.line })
  }
  return values as unknown as Vector3
}

/** The unit beside the card's name; without one, that of the program which the input is for. */
function unitOfPlaces(input: EspressoInput, card: Card, warnings: StructureWarning[]): string {
  if (card.option !== '') return card.option
  if (!input.variables.has('ibrav')) {
    throw refusal(FORMAT_ERRORS.malformed, 'ATOMIC_POSITIONS has no unit, and there is no &SYSTEM to tell it by.', {
      line: card.line,
      hint: 'Use ATOMIC_POSITIONS alat, bohr, angstrom or crystal.',
    })
  }
  const unit = /cp/i.test(input.variables.peek('calculation') ?? '') ? 'bohr' : 'alat'
  const message = `ATOMIC_POSITIONS has no unit: ${unit} is assumed.`
  warnings.push({ code: 'unit-assumed', message, line: card.line })
  return unit
}

function toFractions(
  unit: string,
  places: readonly Vector3[],
  { lattice, alat }: { lattice: Matrix3; alat: number },
  { line }: Card,
): readonly Vector3[] {
  const times = (factor: number): Vector3[] =>
    fractionsOf(
      places.map((place) => scale(place, factor)),
      lattice,
    )
  switch (unit) {
    case 'crystal':
      return places
    case 'alat':
      return times(alat)
    case 'crystal_sg':
      throw symmetryAdapted()
    default: {
      const hint = 'Use alat, bohr, angstrom or crystal.'
      return times(angstromPer(unit, ['bohr', 'angstrom'], { line, hint }))
    }
  }
}

function readFreedom(words: readonly string[], row: CardLine): readonly [boolean, boolean, boolean] | undefined {
  if (words.length === 0) return undefined
  const flags = words.map((word) => (word === '0' ? false : word === '1' ? true : undefined))
  if (flags.length !== 3 || flags.includes(undefined)) {
    throw refusal(FORMAT_ERRORS.malformed, `"${shorten(words.join(' '))}" are not three flags 0 or 1.`, {
      line: row.line,
    })
  }
  return flags.includes(false) ? (flags as [boolean, boolean, boolean]) : undefined
}

/** The species of each label that ATOMIC_SPECIES declares, by name, mass and pseudopotential. */
function readSpecies(
  input: EspressoInput,
  names: SpeciesNames,
  warnings: StructureWarning[],
): ReadonlyMap<string, NamedSpecies> {
  const species = new Map<string, NamedSpecies>()
  for (const row of findCard(input, 'ATOMIC_SPECIES')?.lines ?? []) {
    const [label = '', mass, file = ''] = wordsOf(row.text)
    const reading = readType(label)
    const ofFile = elementNamed(/^([A-Za-z]{1,2})(?=[._-])/.exec(file.split('/').at(-1) ?? '')?.[1] ?? '')
    if (reading === undefined ? ofFile === undefined : reading.element === null) continue
    const isOfFile = reading === undefined || massSpeaksFor(ofFile, reading.element ?? '', readNumber(mass))
    const isSure = reading?.sure === true || reading?.element === ofFile
    const named = isOfFile
      ? { element: ofFile ?? '' }
      : (names.take(label, { ...reading, sure: isSure }, { line: row.line }) ?? { element: '' })
    if (isOfFile) {
      const message = `${label} is read as ${named.element}, by its pseudopotential.`
      warnings.push({ code: 'species-assumed', message, line: row.line })
    }
    species.set(label, names.withMass(named, readNumber(mass), { line: row.line }) ?? named)
  }
  return species
}

/** Labels that ATOMIC_SPECIES does not have, and another number of its lines than ntyp: pw.x stops at both. */
function undeclared(input: EspressoInput, rows: readonly CardLine[]): readonly StructureWarning[] {
  const card = findCard(input, 'ATOMIC_SPECIES')
  const ntyp = variableNumber(input, 'ntyp')
  if (card === undefined) return []
  const declared = new Set(card.lines.map(({ text }) => wordsOf(text)[0]))
  const labels = [...new Set(rows.map(({ text }) => wordsOf(text)[0] ?? ''))].filter((label) => !declared.has(label))
  const messages = [
    ...(labels.length === 0 ? [] : [`ATOMIC_SPECIES does not have ${shorten(labels.join(', '))}.`]),
    ...(ntyp === undefined || ntyp === card.lines.length
      ? []
      : [`ntyp is ${ntyp}, but ATOMIC_SPECIES has ${card.lines.length} lines.`]),
  ]
  return messages.map((message) => ({ code: 'species-undeclared', message, line: card.line }))
}

/** A slab or a wire: what the program does not repeat, a material does. */
const OPEN_BOUNDARIES = /^(?:2d|esm)/i

function openBoundaries({ variables }: EspressoInput): readonly StructureWarning[] {
  const text = variables.peek('assume_isolated') ?? ''
  if (!OPEN_BOUNDARIES.test(text)) return []
  const message = `assume_isolated = ${shorten(text)} is not applied: the structure repeats along all three lattice vectors.`
  return [{ code: 'boundaries-not-applied', message }]
}

/** Tells whether a mass is that of the pseudopotential's element and not that of the element that the label looks like. */
function massSpeaksFor(ofFile: string | undefined, named: string, mass: number | undefined): boolean {
  if (ofFile === undefined || ofFile === named || mass === undefined) return false
  const isMassOf = (symbol: string): boolean => Math.abs((findElement(symbol)?.mass ?? 0) - mass) < 0.05 * mass
  return isMassOf(ofFile) && !isMassOf(named)
}

/** Writes an input that a calculation can start from: cell and atoms, with cut-offs and file names to be filled in. */
export function printEspresso(crystal: Crystal): string {
  const labels = labelsOf(crystal.sites)
  const species = new Map(crystal.sites.map((site, index) => [labels[index] as string, site]))
  const row = (site: CrystalSite, index: number): string => {
    const flags = site.movable === undefined ? '' : ` ${site.movable.map(Number).join(' ')}`
    return `${(labels[index] as string).padEnd(5)} ${decimalColumns(site.fraction)}${flags}`
  }
  return `${[
    '&CONTROL',
    "  calculation = 'scf'",
    `  title = '${oneLine(crystal.title, 'crystal').replaceAll("'", ' ')}'`,
    '/',
    '&SYSTEM',
    '  ibrav = 0',
    `  nat = ${crystal.sites.length}`,
    `  ntyp = ${species.size}`,
    '  ecutwfc = 40',
    '/',
    '&ELECTRONS',
    '/',
    'ATOMIC_SPECIES',
    ...[...species].map(([label, site]) => `${label.padEnd(5)} ${massOfAtom(site) || 1} ${site.element}.upf`),
    'CELL_PARAMETERS angstrom',
    ...crystal.lattice.map((vector) => decimalColumns(vector)),
    'ATOMIC_POSITIONS crystal',
    ...crystal.sites.map(row),
    'K_POINTS automatic',
    '1 1 1 0 0 0',
  ].join('\n')}\n`
}

const SUFFIXES = 'abcdefghijklmnopqrstuvwxyz'

/** Labels of species: element and number, and where isotopes have one label, a letter for each but the first; the program takes three characters. */
function labelsOf(sites: readonly CrystalSite[]): readonly string[] {
  const labels = new Map<string, string>()
  const taken = new Set<string>()
  return sites.map(({ element, speciesTag = '', isotope }) => {
    const [plain, key] = [`${element}${speciesTag}`, `${element} ${speciesTag} ${isotope}`]
    const known = labels.get(key)
    if (known !== undefined) return known
    const joint = element.length === 1 ? '_' : ''
    const label =
      [plain, ...[...SUFFIXES].map((letter) => `${element}${joint}${letter}`)].find((one) => !taken.has(one)) ?? plain
    labels.set(key, label)
    taken.add(label)
    return label
  })
}
