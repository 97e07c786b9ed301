import { determinant, type Matrix3, type Vector3 } from '../vector.ts'
import { fractionsOf, requireCell } from './cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'
import type { StructureFormat } from './format.ts'
import { elementNamed } from './species.ts'
import {
  decimal,
  decimalColumns,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireFewAtoms,
  requireNumber,
  requireVector,
  shorten,
  wordsOf,
} from './text.ts'

/** How many atoms of which element follow each other; the element is unknown in files of VASP 4. */
interface SpeciesBlock {
  readonly element: string | undefined
  readonly count: number
}

interface Header {
  readonly title: string
  readonly lattice: Matrix3
  /** What Cartesian coordinates are multiplied with, per axis. */
  readonly factors: Vector3
  readonly blocks: readonly SpeciesBlock[]
  /** Index of the line after the counts. */
  readonly next: number
}

/** The structure file of VASP (POSCAR, CONTCAR); the sixth line names the species since VASP 5. */
export const poscarFormat: StructureFormat = {
  name: 'poscar',
  title: 'VASP POSCAR',
  extensions: ['poscar', 'vasp', 'contcar'],
  fileNames: /(?:^|[^a-z])(?:poscar|contcar)(?:[^a-z]|$)/i,
  recognizes: isPoscar,
  parse: parsePoscar,
  print: printPoscar,
}

function isPoscar(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000)).slice(0, 5).map(wordsOf)
  if (lines.length < 5 || readNumber(lines[1]?.[0]) === undefined) return false
  return lines
    .slice(2, 5)
    .every((words) => words.length >= 3 && words.slice(0, 3).every((w) => readNumber(w) !== undefined))
}

/** Reads a POSCAR of VASP 4, 5 or 6. */
export function parsePoscar(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const warnings: StructureWarning[] = []
  const header = readHeader(lines)
  const total = header.blocks.reduce((sum, block) => sum + block.count, 0)
  requireFewAtoms(total, options, { line: header.next })
  if (total === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The counts add up to no atoms.', { line: header.next })
  const selective = /^\s*s/i.test(lines[header.next] ?? '')
  const modeLine = header.next + (selective ? 1 : 0)
  const cartesian = isCartesian(lines[modeLine], modeLine + 1, warnings)
  const rows = readRows(lines, modeLine + 1, total, selective)
  const elements = elementsOf(header, rows, modeLine + 2, warnings)
  const fractions = cartesian
    ? fractionsOf(
        rows.map(({ place }) => place.map((x, axis) => x * (header.factors[axis] as number)) as unknown as Vector3),
        header.lattice,
      )
    : rows.map(({ place }) => place)
  const sites = rows.map(
    (row, index): CrystalSite => ({
      element: elements[index] as string,
      fraction: fractions[index] as Vector3,
      ...(row.movable?.includes(false) ? { movable: row.movable } : {}),
    }),
  )
  return { title: header.title, lattice: header.lattice, periodic: PERIODIC, sites, warnings }
}

function readHeader(lines: readonly string[]): Header {
  const factorWords = leadingNumbers(wordsOf(lines[1] ?? ''))
  const vectors = [2, 3, 4].map((index) =>
    requireVector(wordsOf(lines[index] ?? ''), 'A lattice vector', { line: index + 1 }),
  ) as unknown as Matrix3
  const factors = readFactors(factorWords, vectors)
  const lattice = requireCell(
    vectors.map((row) => row.map((x, axis) => x * (factors[axis] as number))) as unknown as Matrix3,
    { line: 3 },
  )
  return { title: (lines[0] ?? '').trim(), lattice, factors, ...readBlocks(lines) }
}

function leadingNumbers(words: readonly string[]): string[] {
  const end = words.findIndex((word) => readNumber(word) === undefined)
  return words.slice(0, end === -1 ? words.length : end)
}

/** One factor for all axes, three for one each, or a negative one: the volume that the cell shall have. */
function readFactors(words: readonly string[], vectors: Matrix3): Vector3 {
  const place = { line: 2, hint: 'Give one scale factor, a negative volume, or three positive factors.' }
  const factors = words.map((word) => requireNumber(word, 'The scale factor', place))
  if (factors.length === 3) {
    if (factors.every((factor) => factor > 0)) return factors as unknown as Vector3
    throw refusal(FORMAT_ERRORS.malformed, 'Three scale factors must all be positive.', place)
  }
  const factor = factors[0]
  if (factors.length !== 1 || factor === undefined || factor === 0) {
    throw refusal(FORMAT_ERRORS.malformed, `The scale line has ${factors.length} factors.`, place)
  }
  const volume = Math.abs(determinant(requireCell(vectors, { line: 3 })))
  const each = factor > 0 ? factor : Math.cbrt(-factor / volume)
  return [each, each, each]
}

/** Symbols and counts, each of which may run over several lines. */
function readBlocks(lines: readonly string[]): Pick<Header, 'blocks' | 'next'> {
  const symbols: { text: string; line: number }[] = []
  let next = 5
  while (next < lines.length && readCount(wordsOf(lines[next] ?? '')[0]) === undefined) {
    const words = wordsOf(lines[next] ?? '')
    if (words.length === 0 || next > 5 + 20) break
    symbols.push(...words.filter((word) => !word.startsWith('!')).map((word) => ({ text: word, line: next + 1 })))
    next++
  }
  const counts: number[] = []
  while (next < lines.length) {
    const words = wordsOf(lines[next] ?? '')
    if (!words.every((word) => readCount(word) !== undefined) || words.length === 0) break
    counts.push(...words.map((word) => Number(word)))
    next++
    if (symbols.length > 0 && counts.length >= symbols.length) break
  }
  const place = { line: next + (counts.length === 0 ? 1 : 0) }
  if (counts.length === 0)
    throw refusal(FORMAT_ERRORS.malformed, 'The line with the numbers of atoms is missing.', place)
  if (symbols.length > 0 && symbols.length !== counts.length) {
    throw refusal(
      FORMAT_ERRORS.inconsistentCounts,
      `${symbols.length} species but ${counts.length} numbers of atoms.`,
      {
        ...place,
        hint: 'Give one number for each species.',
      },
    )
  }
  const blocks = counts.map((count, index) => ({ element: symbolElement(symbols[index]), count }))
  return { blocks, next }
}

/** `Fe`, `Fe_pv`, `Fe_sv/9f3a`, `Fe/9f3a`: the element before the name of the potential. */
function symbolElement(symbol: { text: string; line: number } | undefined): string | undefined {
  if (symbol === undefined) return undefined
  const element = elementNamed(symbol.text.split(/[_/.]/)[0] ?? '')
  if (element !== undefined) return element
  throw refusal(FORMAT_ERRORS.unknownSpecies, `"${shorten(symbol.text)}" is no chemical element.`, {
    line: symbol.line,
    hint: 'Line 6 lists the symbols of the elements.',
  })
}

/** VASP looks at the first letter only: C, c, K or k is Cartesian, anything else fractional. */
function isCartesian(line: string | undefined, number: number, warnings: StructureWarning[]): boolean {
  const text = (line ?? '').trim()
  if (line === undefined || readNumber(wordsOf(text)[0]) !== undefined) {
    throw refusal(FORMAT_ERRORS.malformed, 'The line that says "Direct" or "Cartesian" is missing.', { line: number })
  }
  if (/^[ck]/i.test(text)) return true
  if (!/^[df]/i.test(text)) {
    warnings.push({
      code: 'coordinates-assumed-direct',
      message: `"${shorten(text)}" is neither Direct nor Cartesian; VASP reads it as Direct.`,
      line: number,
    })
  }
  return false
}

interface Row {
  readonly place: Vector3
  readonly movable?: readonly [boolean, boolean, boolean]
  /** What follows the numbers; some programs write the element there. */
  readonly trailer: string | undefined
}

function readRows(lines: readonly string[], start: number, total: number, selective: boolean): Row[] {
  const rows: Row[] = []
  for (let index = start; index < start + total; index++) {
    const words = wordsOf(lines[index] ?? '')
    const place = { line: index + 1 }
    if (words.length === 0) {
      throw refusal(FORMAT_ERRORS.inconsistentCounts, `${total} atoms announced, ${rows.length} found.`, {
        ...place,
        hint: 'The numbers of atoms must add up to the number of coordinate lines.',
      })
    }
    const coordinates = requireVector(words, 'A coordinate', place)
    if (!selective) {
      // Flags without the line that announces them are no symbols of hydrogen and fluorine.
      const flagged = words.length > 5 && words.slice(3, 6).every((word) => readFlag(word) !== undefined)
      rows.push({ place: coordinates, trailer: words[flagged ? 6 : 3] })
      continue
    }
    const flags = words.slice(3, 6).map((word) => readFlag(word))
    if (flags.length < 3 || flags.includes(undefined)) {
      throw refusal(
        FORMAT_ERRORS.malformed,
        'Selective dynamics needs three flags T or F after the coordinates.',
        place,
      )
    }
    rows.push({ place: coordinates, movable: flags as unknown as [boolean, boolean, boolean], trailer: words[6] })
  }
  return rows
}

function readFlag(word: string): boolean | undefined {
  if (/^\.?t/i.test(word)) return true
  return /^\.?f/i.test(word) ? false : undefined
}

/** The element of every row: from line 6, else from the ends of the rows, else from the title; else the file is refused. */
function elementsOf(header: Header, rows: readonly Row[], firstLine: number, warnings: StructureWarning[]): string[] {
  const trailing = rows.map((row) => elementNamed(/^[A-Za-z]{1,2}(?![A-Za-z])/.exec(row.trailer ?? '')?.[0] ?? ''))
  const declared = header.blocks.flatMap((block) => new Array<string | undefined>(block.count).fill(block.element))
  if (declared.every((element) => element !== undefined)) {
    const other = trailing.findIndex((element, index) => element !== undefined && element !== declared[index])
    if (other !== -1) {
      warnings.push({
        code: 'species-disagree',
        message: `The row is marked ${trailing[other]}, but by its position it is ${declared[other]}, which was taken.`,
        line: firstLine + other,
      })
    }
    return declared
  }
  if (trailing.every((element) => element !== undefined)) return trailing
  const titled = titleElements(header.title, header.blocks.length)
  if (titled !== undefined) {
    warnings.push({
      code: 'species-from-title',
      message: `The file names no species; the title does: ${titled.join(' ')}.`,
      line: 1,
    })
    return header.blocks.flatMap((block, index) => new Array<string>(block.count).fill(titled[index] as string))
  }
  throw refusal(FORMAT_ERRORS.unknownSpecies, 'The file does not say which elements its atoms are (VASP 4).', {
    line: 6,
    hint: 'Add a line of element symbols before the numbers of atoms.',
  })
}

function titleElements(title: string, count: number): string[] | undefined {
  const words = wordsOf(title.replace(/,/g, ' '))
  const elements = words.map((word) =>
    /^[A-Z][a-z]?(?:_[a-z]+)?\d*$/.test(word) ? elementNamed(word.replace(/[_\d].*$/, '')) : undefined,
  )
  return elements.length === count && elements.every((element) => element !== undefined) ? elements : undefined
}

/** Writes a POSCAR of VASP 5 with fractional coordinates, in the order of the atoms. */
export function printPoscar(crystal: Crystal): string {
  const runs: { element: string; count: number }[] = []
  for (const site of crystal.sites) {
    const last = runs.at(-1)
    if (last?.element === site.element) last.count++
    else runs.push({ element: site.element, count: 1 })
  }
  const selective = crystal.sites.some((site) => site.movable !== undefined)
  const row = (site: CrystalSite): string => {
    const flags = selective
      ? ` ${(site.movable ?? [true, true, true]).map((free) => (free ? 'T' : 'F')).join(' ')}`
      : ''
    return `${decimalColumns(site.fraction)}${flags} ${site.element}`
  }
  return `${[
    oneLine(crystal.title, runs.map((run) => `${run.element}${run.count}`).join(' ')),
    decimal(1),
    ...crystal.lattice.map((vector) => decimalColumns(vector)),
    runs.map((run) => run.element).join(' '),
    runs.map((run) => run.count).join(' '),
    ...(selective ? ['Selective dynamics'] : []),
    'Direct',
    ...crystal.sites.map(row),
  ].join('\n')}\n`
}
