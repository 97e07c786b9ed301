/// <reference types="vite/client" />
import { SYMBOLS } from '../../../src/page/elements.ts'
import {
  type ElementCounts,
  formulaOrder,
  printCounts,
  readFormulaText,
  reducedCounts,
} from '../../../src/page/formula.ts'
import { namedSetting, SettingsBySymbol } from '../../../src/page/space-group-symbols.ts'
import elementsTable from '../../../src/structure/elements/elements.tsv?raw'
import settingsTable from '../../../src/structure/symmetry/space-groups.tsv?raw'

/** Rows of a table of the server: a row a line, cells apart by tabs. */
function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}

const elements = rowsOf(elementsTable)
const electronegativities = new Map(elements.map(([symbol = '', , , value = '']) => [symbol, Number(value)]))
const symbolsByName = new Map(elements.map(([symbol = '', name = '']) => [name.toLowerCase(), symbol]))

/** English names of the elements, and their symbols. */
export const ELEMENT_NAMES: readonly (readonly [symbol: string, name: string])[] = elements.map(
  ([symbol = '', name = '']) => [symbol, name],
)

const settings = rowsOf(settingsTable).map(namedSetting)
const groups = new SettingsBySymbol(settings)
const shortSymbols: ReadonlySet<string> = new Set(settings.map(({ shortSymbol }) => plainSymbol(shortSymbol)))

function plainSymbol(symbol: string): string {
  return symbol.replaceAll(/[ _]/g, '')
}

/** The symbol of an element, by its symbol or its English name. */
export function elementNamed(text: string): string | null {
  return SYMBOLS.has(text) ? text : (symbolsByName.get(text.toLowerCase()) ?? null)
}

/** A formula in the order in which records have it, as it is and in lowest terms; null for none. */
export function readFormula(text: string): ElementCounts | null {
  // No count begins with a zero: it was meant for oxygen.
  if (/(?:^|[^\d.])0\d/.test(text)) return null
  const reading = readFormulaText(text)
  return 'counts' in reading ? formulaOrder(reading.counts, (symbol) => electronegativities.get(symbol) ?? 0) : null
}

/** As records have it: `TiO2`. */
export function reducedFormula(counts: ElementCounts): string {
  return printCounts(reducedCounts(counts))
}

/** The number of a space group, by its symbol in any spelling, or its number. */
export function readSpaceGroup(text: string): number | null {
  return groups.numberOf(text)
}

/** The short symbol of a space group in its standard setting, with `_` before the digits of screw axes: `P4_2/mnm`; null for no number of a group. */
export function symbolOfGroup(number: number): string | null {
  return settings.find((one) => one.number === number)?.shortSymbol.replaceAll(' ', '') ?? null
}

/** Whether a text is the short symbol of a space group in its standard setting. */
export function isShortSymbol(text: string): boolean {
  return shortSymbols.has(plainSymbol(text))
}
