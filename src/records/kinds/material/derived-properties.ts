import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { density, type ElementCounts } from '../../../structure/formula.ts'
import { type CellParameters, cellVolume } from '../../../structure/lattice.ts'
import type { SymmetryReport } from '../../../structure/symmetry/symmetry-report.ts'

/** Names of properties that only the server writes. */
const COMPUTED: ReadonlySet<Json | undefined> = new Set(['volume', 'density', 'elemental_ratio', 'symmetry'])

/** Properties that follow from cell (Å, degrees) and contents; a molecule's box has no volume worth telling. */
export function computedProperties(cell: CellParameters, counts: ElementCounts, isNonPeriodic: boolean): JsonObject[] {
  const properties: JsonObject[] = []
  if (!isNonPeriodic) {
    const volume = cellVolume(cell)
    properties.push({ name: 'volume', value: sixDigits(volume), units: 'angstrom^3' })
    properties.push({ name: 'density', value: sixDigits(density(counts, volume)), units: 'g/cm^3' })
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const [element, count] of counts) {
    properties.push({ name: 'elemental_ratio', value: sixDigits(count / total), element })
  }
  return properties
}

/** The space group as a property, where it was found. */
export function symmetryProperty(report: SymmetryReport | undefined): JsonObject[] {
  if (report?.status !== 'computed') return []
  return [
    {
      name: 'symmetry',
      pointGroupSymbol: report.pointGroup,
      spaceGroupSymbol: compactSymbol(report.symbol),
      spaceGroupNumber: report.number,
      hallSymbol: report.hallSymbol,
      wyckoffLetters: report.wyckoffLetters,
      tolerance: { value: report.tolerance, units: 'angstrom' },
    },
  ]
}

/** The symbol as databases and people write it: `Fd-3m`. */
export function compactSymbol(symbol: string): string {
  return symbol.replaceAll(' ', '')
}

/** Those of the properties that a client sent which the server cannot compute, for instance `inchi`. */
export function keptProperties(properties: Json | undefined): readonly Json[] {
  return isJsonArray(properties) ? properties.filter((property) => isJsonObject(property) && !isComputed(property)) : []
}

/** Of a field of a material that client and server write together, the items that are the server's. */
export function computedItems(field: string, value: Json | undefined): readonly Json[] | undefined {
  if (field !== 'derivedProperties') return undefined
  return isJsonArray(value) ? value.filter((property) => isJsonObject(property) && isComputed(property)) : []
}

function isComputed(property: JsonObject): boolean {
  return COMPUTED.has(ownField(property, 'name'))
}

/** Six significant digits, or six decimals of what is larger: as much as lattice constants are worth. */
function sixDigits(value: number): number {
  return value < 1 ? Number(value.toPrecision(6)) : Math.round(value * 1e6) / 1e6
}
