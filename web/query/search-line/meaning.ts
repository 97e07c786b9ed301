import { readElementClass, SYMBOLS } from '../../../src/page/elements.ts'
import { anonymousFormula, readAnonymousFormula, withCapitals } from '../../../src/page/formula-spelling.ts'
import { readIon } from '../../../src/page/ion.ts'
import { CRYSTAL_SYSTEMS, POINT_GROUPS } from '../../../src/page/symmetry-names.ts'
import type { Condition, Scalar } from '../conditions.ts'
import { readForm } from './form.ts'
import { prototypeNamed } from './keys.ts'
import { readStrukturbericht } from './strukturbericht.ts'
import { isShortSymbol, readFormula, readSpaceGroup, reducedFormula } from './tables.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What a text means, and texts for what else it may mean. */
export interface Meaning {
  readonly condition: Condition
  readonly otherwise?: readonly string[]
  /** How it is written, where the line says it by words around it. */
  readonly text?: string
}

/** Lattices as records name them. */
const LATTICES = new Set([
  'FCC',
  'BCC',
  'BCT',
  'CUB',
  'HEX',
  'TET',
  'TRI',
  'RHL',
  'ORC',
  'ORCC',
  'ORCF',
  'ORCI',
  'MCL',
  'MCLC',
])
/** Point groups that are no number and no letter alone. */
const WRITTEN_POINT_GROUPS = new Set(POINT_GROUPS.filter((name) => /[-/m]/.test(name) && name.length > 2))
/** Ids of this server, with its letters and digits; a word of as many letters is none. */
const OWN_ID = /^(?![A-Z]?[a-z]+$)[2-9A-HJ-NP-TW-Za-km-z]{17}$/
/** Ids of other databases: `mp-149`, `icsd-12345`, `JVASP-1002`, `oqmd:5`. */
const OTHER_ID =
  /^(?:mp|mvc|mpid|icsd|cod|oqmd|aflow|jvasp|nomad|mpds|csd|pubchem|gdb|qm9|ccdc|agm|wbm|omat|alex)[-:_]?\d[\w.-]*$/i
/** Where records have the ids of other databases. */
const ID_FIELDS = ['_id', 'source.material_id', 'source.task_id', 'source.id'] as const
const SHORTEST_SMALL_SYMBOL = 4
const LONGEST_SMALL_FORMULA = 4

type Reading = (text: string) => Meaning | null

/** What a word of a line about materials means, most likely first. */
const READINGS: readonly Reading[] = [
  groupNumber,
  ion,
  element,
  system,
  strukturbericht,
  lattice,
  groupOfLetters,
  formula,
  form,
  group,
  crystalSystem,
  elementClass,
  pointGroup,
]

/** What a word means. */
export function meaningOf(text: string, vocabulary: Vocabulary): Meaning {
  if (/[^*]\*|\*[^*]/.test(text)) return wildcardSystem(text, vocabulary) ?? { condition: whole(text, vocabulary) }
  if (OWN_ID.test(text) && readFormula(text) === null)
    return { condition: values('_id', text), otherwise: [quoted(text)] }
  if (OTHER_ID.test(text))
    return { condition: { ...whole(text, vocabulary), or: ID_FIELDS.map((path) => [path, text] as const) } }
  for (const read of vocabulary.hasElements ? READINGS : []) {
    const meaning = read(text)
    if (meaning !== null) return meaning
  }
  return { condition: smallFormula(text, vocabulary) ?? plainWord(text, vocabulary) }
}

/** A text that stands anywhere in what records say. */
export function word(text: string, { words }: Vocabulary): Condition & { readonly kind: 'word' } {
  return { kind: 'word', text, fields: words }
}

/** A word, or the prototype, the lattice or the gap that people call so. The cell of `fcc` may be another: names and tags say it then. */
function plainWord(text: string, vocabulary: Vocabulary): Condition {
  const prototype = vocabulary.hasElements ? prototypeNamed(text) : null
  if (prototype !== null) return { ...word(text, vocabulary), or: [['prototype.name', prototype]] }
  if (vocabulary.hasElements && /^metal(?:s|lic)?$/i.test(text))
    return { ...word(text, vocabulary), or: [['properties.band_gap.value', 0]] }
  if (!vocabulary.hasElements || !/^(?:fcc|bcc|bct)$/.test(text)) return word(text, vocabulary)
  return { ...word(text, vocabulary), or: [['lattice.type', text.toUpperCase()]] }
}

/** As it is found in quotes. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

export function values(path: string, value: Scalar): Condition {
  return { kind: 'values', path, values: [value] }
}

/** What several words mean together; null where they do not. */
export function phraseMeaning(text: string): Meaning | null {
  const parts = text.split(' ')
  if (parts.every((part) => /^[A-Z][a-z]?(?:\d+(?:\.\d+)?)?$/.test(part)) && /\d/.test(text))
    return spacedFormula(parts)
  if (/^[PIFCABRH]$/.test(parts[0] ?? '') && parts.slice(1).every((part) => /^[-\d/_abcdemn]+$/.test(part)))
    return group(text)
  if (/^[A-Z][a-z]? \d[+-]$/.test(text)) return ion(text)
  return elementClass(text)
}

function spacedFormula(parts: readonly string[]): Meaning | null {
  const symbols = parts.map((part) => part.replace(/[\d.]+$/, ''))
  return new Set(symbols).size === parts.length && symbols.every((one) => SYMBOLS.has(one))
    ? formula(parts.join(''))
    : null
}

function whole(text: string, { words }: Vocabulary): Condition & { readonly kind: 'word' } {
  return { kind: 'word', text, fields: words, isWhole: true }
}

function groupNumber(text: string): Meaning | null {
  const number = /^\d{1,3}$/.test(text) ? readSpaceGroup(text) : null
  return number === null ? null : { condition: values('spaceGroup.number', number), otherwise: [quoted(text)] }
}

function ion(text: string): Meaning | null {
  const name = isShortSymbol(text) ? null : readIon(text)
  const symbol = /^[A-Z][a-z]?/.exec(name ?? '')?.[0]
  return name === null || symbol === undefined
    ? null
    : { condition: values('oxidationStates', name), otherwise: [symbol] }
}

function element(text: string): Meaning | null {
  if (!SYMBOLS.has(text)) return null
  const isGroup = isShortSymbol(text)
  return {
    condition: { kind: 'elements', mode: 'all', symbols: [text] },
    otherwise: [`formula: ${text}`, ...(isGroup ? [`space group: ${text}`] : [])],
  }
}

function symbolsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[-–]/))]
}

function system(text: string): Meaning | null {
  const symbols = symbolsIn(text)
  if (symbols.length < 2) return null
  if (symbols.every((symbol) => SYMBOLS.has(symbol))) return systemOf(symbols)
  const capitals = symbols.map((symbol) => symbol.charAt(0).toUpperCase() + symbol.slice(1))
  return text === text.toLowerCase() && capitals.every((symbol) => SYMBOLS.has(symbol))
    ? { ...systemOf(capitals), otherwise: [quoted(text)] }
    : null
}

function systemOf(symbols: readonly string[]): Meaning {
  return { condition: { kind: 'system', symbols: [...symbols].sort() } }
}

/** `Li-Fe-*`: these elements and one more. */
function wildcardSystem(text: string, { hasElements }: Vocabulary): Meaning | null {
  const parts = text.split('-')
  const symbols = parts.filter((part) => part !== '*')
  if (!hasElements || parts.length < 2 || symbols.length === 0 || !symbols.every((one) => SYMBOLS.has(one))) return null
  return {
    condition: {
      kind: 'allOf',
      conditions: [{ kind: 'elements', mode: 'all', symbols }, values('nElements', parts.length)],
    },
  }
}

function strukturbericht(text: string): Meaning | null {
  const symbol = readStrukturbericht(text)
  if (symbol === null || (isShortSymbol(text) && text !== symbol)) return null
  const otherwise = [
    ...(isShortSymbol(text) ? [`space group: ${text}`] : []),
    ...(readFormula(text) === null ? [] : [`formula: ${text}`]),
  ]
  return { condition: values('prototype.strukturbericht', symbol), otherwise }
}

function lattice(text: string): Meaning | null {
  return LATTICES.has(text) ? { condition: values('lattice.type', text), otherwise: [quoted(text)] } : null
}

/** Symbols that would be formulas of one element, too: P1, P3, F23. */
function groupOfLetters(text: string): Meaning | null {
  if (!isShortSymbol(text)) return null
  return (readFormula(text)?.size ?? 0) === 1 ? ({ ...group(text), otherwise: [`formula: ${text}`] } as Meaning) : null
}

function formula(text: string): Meaning | null {
  if (!/^[A-Z([]/.test(text)) return null
  const counts = readFormula(text)
  return counts === null ? null : { condition: values('formula', reducedFormula(counts)) }
}

function form(text: string): Meaning | null {
  const letters = /\d/.test(text) || /^(?:ABC?D?|[AM]X)$/.test(text) ? readAnonymousFormula(text) : null
  if (letters !== null && text.startsWith('A'))
    return { condition: values('anonymousFormula', anonymousFormula(letters)) }
  const condition = readForm(text)
  return condition === null ? null : { condition }
}

function group(text: string): Meaning | null {
  const isSmall = text === text.toLowerCase()
  if (isSmall && text.length < SHORTEST_SMALL_SYMBOL) return null
  if (/^\d+$/.test(text)) return null
  const number = readSpaceGroup(text)
  return number === null ? null : { condition: values('spaceGroup.number', number) }
}

function crystalSystem(text: string): Meaning | null {
  const name = text.toLowerCase()
  return CRYSTAL_SYSTEMS.includes(name)
    ? { condition: values('spaceGroup.crystalSystem', name), otherwise: [quoted(text)] }
    : null
}

function elementClass(text: string): Meaning | null {
  // Of solids it says how they conduct.
  const name = /^semimetals?$/i.test(text) ? null : readElementClass(text)
  return name === null ? null : { condition: values('elementClasses', name), otherwise: [quoted(text)] }
}

function pointGroup(text: string): Meaning | null {
  return WRITTEN_POINT_GROUPS.has(text) ? { condition: values('spaceGroup.pointGroup', text) } : null
}

/** `tio2`, `nacl`: a word, or the formula that it is with capitals. Without digits only short ones of two elements are meant so. */
function smallFormula(text: string, vocabulary: Vocabulary): Condition | null {
  const meant = vocabulary.hasElements ? withCapitals(text) : null
  const counts = meant === null ? null : readFormula(meant)
  if (counts === null || counts.size < 2) return null
  const isPair = counts.size === 2 && [...counts.values()].every((count) => count === 1)
  if (!/\d/.test(text) && (!isPair || text.length > LONGEST_SMALL_FORMULA)) return null
  return { ...word(text, vocabulary), or: [['formula', reducedFormula(counts)]] }
}
