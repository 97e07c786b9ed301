import { isJsonArray, type Json } from '../kernel/json.ts'
import { type FilterNode, field } from '../query/ast/filter.ts'
import { printOperator, type SymmetryOperator } from '../structure/symmetry/operator.ts'
import {
  operatorsOfSetting,
  type SpaceGroupSetting,
  settingsOfNumber,
} from '../structure/symmetry/space-group-setting.ts'
import { countedList, textByNumber } from './fields.ts'
import { answered, own, type Property, written } from './property.ts'
import { allOf, not } from './queryable.ts'
import type { StructureSource } from './structure-source.ts'

/** The standard settings of the space groups, by number. */
const STANDARD: ReadonlyMap<number, SpaceGroupSetting> = new Map(
  Array.from({ length: 230 }, (_, index) => index + 1).flatMap((number) =>
    settingsOfNumber(number)
      .slice(0, 1)
      .map((setting) => [number, setting] as const),
  ),
)

const LETTERS = 'derivedProperties.wyckoffLetters'
/** The 27th position of the group 47, for which the specification has no letter. */
const ALPHA = 'A'
/** One of the derived properties has letters, which others have not. */
const HAS_LETTERS = allOf([
  field(LETTERS, { operator: '$exists', exists: true }),
  not(field(LETTERS, { operator: '$eq', value: ALPHA })),
])
const IN_STANDARD_SETTING: FilterNode = field('derivedProperties.isStandardSetting', { operator: '$eq', value: true })

/** The properties of the specification on symmetry; an answer has them when they are asked for. All are unknown where the crystal has no space group. */
export const SYMMETRY_PROPERTIES: readonly (readonly [string, Property])[] = [
  [
    'space_group_symmetry_operations_xyz',
    asked(
      answered(
        'The operations of the space group, for the cell that is served; known where that is the standard cell of the group, which their notation is for.',
        operationsOf,
        { known: IN_STANDARD_SETTING },
      ),
    ),
  ],
  [
    'space_group_symbol_hall',
    symbol('The Hall symbol of the space group in its standard setting.', ({ hallSymbol }) => hallSymbol),
  ],
  [
    'space_group_symbol_hermann_mauguin',
    symbol(
      'The short Hermann-Mauguin symbol of the space group: `P 21/c`.',
      ({ shortSymbol }) => plain(shortSymbol),
      'spaceGroup.symbol',
    ),
  ],
  [
    'space_group_symbol_hermann_mauguin_extended',
    symbol('The full Hermann-Mauguin symbol of the standard setting: `P 1 21/c 1`.', ({ fullSymbol }) =>
      plain(fullSymbol),
    ),
  ],
  [
    'space_group_it_number',
    asked(own('spaceGroup.number', 'integer', 'perhaps', 'The number of the space group in International Tables A.')),
  ],
  [
    'wyckoff_positions',
    asked(answered('The Wyckoff letter of each site.', wyckoffPositions, countedList('nSites', HAS_LETTERS))),
  ],
]

function asked(property: Property): Property {
  return { ...property, reads: [...property.reads, 'spaceGroup', 'derivedProperties'], isDefault: false }
}

/** A symbol, which the number of the group tells. */
function symbol(description: string, symbolOf: (setting: SpaceGroupSetting) => string, spelledAs?: string): Property {
  const symbols = new Map([...STANDARD].map(([number, setting]) => [number, symbolOf(setting)]))
  return {
    description,
    type: 'string',
    isDefault: false,
    reads: ['spaceGroup'],
    write: written((source) => symbols.get(Number(source.field('spaceGroup.number'))) ?? null),
    queryable: textByNumber('spaceGroup.number', symbols, spelledAs),
  }
}

function plain(symbolText: string): string {
  return symbolText.replaceAll('_', '')
}

function operationsOf(source: StructureSource): Json {
  const setting = STANDARD.get(Number(source.field('spaceGroup.number')))
  if (setting === undefined || source.symmetry.isStandardSetting !== true) return null
  return operatorsOfSetting(setting).toSorted(identityFirst).map(printOperator)
}

function identityFirst(one: SymmetryOperator, other: SymmetryOperator): number {
  return Number(printOperator(other) === 'x,y,z') - Number(printOperator(one) === 'x,y,z')
}

/** Letters are one for each atom of the record: those that share a site have the same. */
function wyckoffPositions(source: StructureSource): Json {
  const letters = source.symmetry.wyckoffLetters
  if (!isJsonArray(letters) || letters.includes(ALPHA)) return null
  return source.sites.atoms.map(([first = 0]) => letters[first] ?? null)
}
