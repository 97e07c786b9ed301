/** A filter that is refused: the status and error code, and the column that the message names. */
export interface OptimadeRefusalCase {
  readonly filter: string
  readonly code: number
  readonly column: number
  /** A part of the message that says what would be right. */
  readonly says: string
}

const refuses =
  (code: number) =>
  (filter: string, column: number, says: string): OptimadeRefusalCase => ({
    filter,
    code,
    column,
    says,
  })
const malformed = refuses(40096)
const unknown = refuses(40097)
const unsupported = refuses(50190)

export const OPTIMADE_REFUSALS: readonly OptimadeRefusalCase[] = [
  malformed('nelements', 10, 'an operator'),
  malformed('nelements=', 11, 'a text in double quotes or a number'),
  malformed('=2', 1, 'a property'),
  malformed('nelements=2 AND', 16, 'a property'),
  malformed('nelements=2 OR OR nsites=1', 16, 'a property'),
  malformed('nelements=2 nsites=1', 13, 'AND, OR or the end'),
  malformed('nelements==2', 11, 'a text in double quotes or a number'),
  malformed('nelements<>2', 11, 'a text in double quotes or a number'),
  malformed('(nelements=2', 13, 'a ) for the parenthesis at column 1'),
  malformed('nelements=2)', 12, 'AND, OR or the end'),
  malformed('()', 2, 'a property'),
  malformed('NOT NOT nelements=2', 5, 'a property'),
  malformed('NOT', 4, 'a property'),
  malformed('nelements=2 and nsites=1', 13, 'AND, OR or the end'),
  malformed('Nelements=2', 1, 'lower case'),
  malformed("elements HAS 'Si'", 14, 'double quotes'),
  malformed('elements HAS "Si', 14, 'does not end'),
  malformed('_quarry_name="a\\b"', 14, 'does not end'),
  malformed('elements HAS', 13, 'a text in double quotes or a number'),
  malformed('elements HAS ALL "Si",', 23, 'a text in double quotes or a number'),
  malformed('elements HAVE "Si"', 10, 'an operator'),
  malformed('elements HAZ "Si"', 10, 'Did you mean HAS?'),
  malformed('elements IS "Si"', 13, 'KNOWN or UNKNOWN'),
  malformed('nelements IS known', 14, 'KNOWN or UNKNOWN'),
  malformed('nelements & 2', 11, 'double quotes'),
  malformed('nelements=1.234D12', 16, 'AND, OR or the end'),
  malformed('nelements=+-12', 11, 'double quotes'),
  malformed('species. = 2', 10, 'nested property'),
  malformed('2 nelements', 3, '=, !=, <, <=, > or >='),
  malformed('last_modified > "yesterday"', 17, 'RFC 3339'),
  malformed('last_modified > "2024-02-30T00:00:00Z"', 17, 'RFC 3339'),
  malformed('last_modified > "2024-02-03"', 17, 'RFC 3339'),
  malformed('💥', 1, 'Unexpected "💥"'),
  malformed(`${'('.repeat(65)}nelements=2${')'.repeat(65)}`, 65, 'deeper than 64'),
  malformed(Array.from({ length: 1001 }, () => 'nsites=1').join(' OR '), 12001, 'more than 1000 conditions'),
  malformed(
    `elements HAS ANY ${Array.from({ length: 1001 }, () => '"H"').join(',')}`,
    4018,
    'more than 1000 conditions',
  ),
  malformed(`_quarry_name="${'x'.repeat(65_536)}"`, 1, 'at most 65536'),
  unknown('nelement=2', 1, 'Did you mean nelements?'),
  unknown('nsites=1 AND band_gap < 2', 14, 'info/structures'),
  unknown('_quarry_hsah = "x"', 1, 'Did you mean _quarry_hash?'),
  unknown('constructor = "x"', 1, 'no property'),
  unknown('__proto__ = "x"', 1, 'no property'),
  unknown('references.id HAS "x"', 1, 'no property'),
  unsupported('nelements = "2"', 13, 'Compare it with a number'),
  unsupported('chemical_formula_descriptive = 2', 32, 'a text in double quotes'),
  unsupported('chemical_formula_descriptive CONTAINS 2', 39, 'a text in double quotes'),
  unsupported('last_modified > 2024', 17, 'a time in double quotes'),
  unsupported('elements HAS 6', 14, 'a text in double quotes'),
  unsupported('elements_ratios HAS "Si"', 21, 'a number'),
  unsupported('dimension_types HAS "1"', 21, 'a number'),
  unsupported('elements LENGTH "2"', 17, 'a number'),
  unsupported('elements LENGTH 2.5', 17, 'whole'),
  unsupported('elements = "Si"', 1, 'HAS ALL'),
  unsupported('elements CONTAINS "S"', 1, 'HAS ALL'),
  unsupported('nelements CONTAINS "2"', 1, '<, <=, >, >='),
  unsupported('nelements HAS 2', 1, '<, <=, >, >='),
  unsupported('nelements LENGTH 2', 1, '<, <=, >, >='),
  unsupported('chemical_formula_reduced < "Si"', 1, '=, !=, IS KNOWN'),
  unsupported('chemical_formula_reduced STARTS WITH "Si"', 1, '=, !=, IS KNOWN'),
  unsupported('lattice_vectors = 1', 1, 'IS KNOWN'),
  unsupported('cartesian_site_positions LENGTH 2', 1, 'IS KNOWN'),
  unsupported('species_at_sites HAS "Si"', 1, 'IS KNOWN'),
  unsupported('species.name HAS "Si"', 1, 'Nothing within species'),
  unsupported('nelements = nsites', 13, 'A property, nsites, stands'),
  unsupported('_quarry_name CONTAINS id', 23, 'A property, id, stands'),
  unsupported('1 < 2', 1, 'Two values'),
  unsupported('"a" = "a"', 1, 'Two values'),
  unsupported('nelements = TRUE', 13, 'true or false'),
  unsupported('elements:elements_ratios HAS "Al":>0.3', 9, 'position by position'),
  unsupported('elements HAS "Al":"O"', 18, 'position by position'),
  unsupported('nsites = 9007199254740993', 10, 'held exactly'),
  unsupported('nsites < 1e999', 10, 'held exactly'),
]
