import type { Crystal, StructureWarning } from '../../structure/crystal.ts'
import { linesOf, readNumber, shorten, wordsOf } from '../../structure/formats/common/text.ts'
import {
  type Columns,
  columnsOf,
  readComment,
  type XyzColumn,
  type XyzComment,
} from '../../structure/formats/xyz-comment.ts'
import { vectorsVolume } from '../../structure/lattice.ts'
import { ofSites, type Result, scalar } from '../calculation.ts'
import { stressResults } from './ase-stress.ts'

/** What a frame says that was computed, and by which keys and columns. */
export interface FrameResults {
  readonly results: readonly Result[]
  readonly keys: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
  readonly warnings: readonly StructureWarning[]
}

/** Names of results, in small letters, the plain ones first: data sets of potentials mark the method before them. */
const ENERGIES = ['energy', 'total_energy', 'dft_energy', 'ref_energy']
const FORCES = ['forces', 'force', 'dft_forces', 'dft_force', 'ref_forces', 'ref_force']
const STRESSES = ['stress', 'dft_stress', 'ref_stress']
const VIRIALS = ['virial', 'virials', 'dft_virial', 'dft_virials', 'ref_virial', 'ref_virials']
const TOTAL_MOMENTS = ['magmom']
const MOMENTS = ['magmoms', 'dft_magmoms', 'ref_magmoms']

/** Reads the results of a frame, in the units of ASE: eV, Å and what is made of them, Bohr magnetons. */
export function frameResults(text: string, crystal: Crystal): FrameResults {
  const lines = linesOf(text)
  const count = Number(lines[0]?.trim())
  const comment = readComment(lines[1] ?? '', 2)
  const frame = new FrameContent(comment, columnsOf(comment, 2), lines.slice(2, 2 + count))
  // Rows that are no atoms have no place among the sites.
  const isOfSites = crystal.sites.length === count
  const energy = frame.value(ENERGIES, 1)
  const forces = isOfSites ? frame.rows(FORCES, [3]) : null
  const moments = isOfSites ? frame.rows(MOMENTS, [1, 3]) : null
  const total = frame.value(TOTAL_MOMENTS, 1)
  const results = [
    ...(energy === null ? [] : [scalar('total_energy', energy[0] ?? 0, 'eV')]),
    ...(forces === null ? [] : [ofSites('atomic_forces', forces, 'eV/angstrom')]),
    ...stressOf(frame, crystal),
    ...(total === null ? [] : [scalar('total_magnetization', total[0] ?? 0, 'uB')]),
    ...(moments === null ? [] : [ofSites('magnetic_moments', moments.map(plain), 'uB')]),
  ]
  const message = `Units are not said: those of ASE are taken (eV, eV/angstrom, uB) for ${[...frame.keys, ...frame.columns].join(', ')}.`
  const isAssumed = results.length > 0
  return {
    results,
    keys: frame.keys,
    columns: frame.columns,
    warnings: [...(isAssumed ? [{ code: 'unit-assumed', message, severity: 'info' as const }] : []), ...frame.warnings],
  }
}

function plain(row: readonly number[]): number | readonly number[] {
  const [first, ...others] = row
  return first !== undefined && others.length === 0 ? first : row
}

/** The stress, which is minus the virial over the volume where it is not given itself. */
function stressOf(frame: FrameContent, { lattice, periodic }: Crystal): readonly Result[] {
  const stress = frame.value(STRESSES, 9) ?? frame.value(STRESSES, 6)
  if (stress !== null) return stressResults(stress)
  if (periodic.includes(false)) return []
  const virial = frame.value(VIRIALS, 9) ?? frame.value(VIRIALS, 6)
  const volume = vectorsVolume(lattice)
  return virial === null ? [] : stressResults(virial.map((entry) => -entry / volume))
}

/** Values and columns of a frame, taken by names. */
class FrameContent {
  readonly keys = new Set<string>()
  readonly columns = new Set<string>()
  readonly warnings: StructureWarning[] = []
  readonly #values: ReadonlyMap<string, readonly [name: string, text: string]>
  readonly #columns: ReadonlyMap<string, readonly [name: string, column: XyzColumn]>
  readonly #lines: readonly string[]

  constructor({ values }: XyzComment, { others }: Columns, lines: readonly string[]) {
    this.#values = new Map(values.rest.map(([name, text]) => [name.toLowerCase(), [name, text]]))
    this.#columns = new Map(others.rest.map(([name, column]) => [name.toLowerCase(), [name, column]]))
    this.#lines = lines
  }

  /** The first of the values that has so many numbers. */
  value(names: readonly string[], count: number): readonly number[] | null {
    for (const key of names) {
      const [name, text] = this.#values.get(key) ?? []
      if (name === undefined || text === undefined) continue
      const numbers = numbersOf(text.replace(/[[\],{}"']/g, ' '))
      if (numbers?.length !== count) continue
      this.keys.add(name)
      return numbers
    }
    return null
  }

  /** The first of the columns that is of one of the widths. */
  rows(names: readonly string[], widths: readonly number[]): readonly (readonly number[])[] | null {
    for (const key of names) {
      const [name, column] = this.#columns.get(key) ?? []
      if (name === undefined || column === undefined || !widths.includes(column.width)) continue
      const rows = this.#lines.map((line) => rowOf(line, column))
      const broken = rows.indexOf(null)
      if (broken === -1) {
        this.columns.add(name)
        return rows.filter((row) => row !== null)
      }
      const message = `The column ${shorten(name)} is left out: "${shorten(this.#lines[broken] ?? '')}" has no numbers in it.`
      this.warnings.push({ code: 'column-not-read', message })
    }
    return null
  }
}

function rowOf(line: string, { start, width }: XyzColumn): readonly number[] | null {
  const numbers = wordsOf(line)
    .slice(start, start + width)
    .map(readNumber)
  return numbers.length === width && numbers.every((number) => number !== undefined) ? numbers : null
}

function numbersOf(text: string): readonly number[] | null {
  const numbers = wordsOf(text).map(readNumber)
  return numbers.every((number) => number !== undefined) ? numbers : null
}
