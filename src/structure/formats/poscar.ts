import { fractionsOf } from '../cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Vector3 } from '../linear-algebra.ts'
import { chooseFrame, DroppedQuantities, type StructureFormat } from './common/format.ts'
import { elementNamed } from './common/species.ts'
import {
  decimal,
  decimalColumns,
  linesOf,
  oneLine,
  readNumber,
  requireVector,
  shorten,
  textOf,
  wordsOf,
} from './common/text.ts'
import { beginOf, framesOf, isPoscar, type PoscarFrame, type PoscarHeader } from './poscar-header.ts'

/** The structure files of VASP (POSCAR, CONTCAR, XDATCAR); the sixth line names the species since VASP 5. */
export const poscarFormat: StructureFormat = {
  name: 'poscar',
  title: 'VASP POSCAR',
  extensions: ['poscar', 'vasp', 'contcar', 'xdatcar'],
  fileNames: /(?:^|[^a-z])(?:poscar|contcar|xdatcar)(?:[^a-z]|$)/i,
  recognizes: isPoscar,
  frames: poscarFrames,
  parse: parsePoscar,
  print: printPoscar,
}

export function parsePoscar(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const warnings: StructureWarning[] = []
  const frames = framesOf(lines, options)
  const { header, start, total } = frames[chooseFrame(frames.length, options, warnings)] as PoscarFrame
  const selective = /^\s*s/i.test(lines[start] ?? '')
  const modeLine = start + (selective ? 1 : 0)
  const cartesian = isCartesian(lines[modeLine], modeLine + 1, warnings)
  const rows = readRows(lines, modeLine + 1, total, selective)
  warnings.push(...leftOverOf(lines, modeLine + 1 + total))
  const elements = elementsOf(header, rows, modeLine + 2, warnings)
  warnings.push(...unkeptOf(header, rows, elements).warnings)
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

/** Each structure with the header that holds for it, which of a step is an earlier one's. */
function* poscarFrames(text: string, options: ReadOptions): Generator<string> {
  const lines = linesOf(text)
  const frames = framesOf(lines, options)
  for (const [index, { header, start }] of frames.entries()) {
    const next = frames[index + 1]
    const end = next === undefined ? lines.length : beginOf(next)
    yield textOf([...lines.slice(header.first, header.next), ...lines.slice(start, end)])
  }
}

/** A line of three numbers directly behind the last atom is one atom more; velocities stand behind a blank line. */
function leftOverOf(lines: readonly string[], index: number): readonly StructureWarning[] {
  const numbers = wordsOf(lines[index] ?? '')
    .slice(0, 3)
    .map(readNumber)
  if (numbers.length < 3 || numbers.includes(undefined)) return []
  const message = 'More coordinates follow than the numbers of atoms announce; they are left out.'
  return [{ code: 'more-coordinates', message, line: index + 1 }]
}

/** Isotopes are named in line 6, or at the ends of the rows. */
function unkeptOf(
  { blocks }: PoscarHeader,
  rows: readonly PoscarRow[],
  elements: readonly string[],
): DroppedQuantities {
  const dropped = new DroppedQuantities()
  for (const { symbol, element } of blocks) dropped.noteIsotope(symbol ?? '', element ?? '')
  for (const [index, { trailer }] of rows.entries()) dropped.noteIsotope(trailer ?? '', elements[index] ?? '')
  return dropped
}

/** VASP looks at the first letter only: C, c, K or k is Cartesian, anything else fractional. */
function isCartesian(line: string | undefined, number: number, warnings: StructureWarning[]): boolean {
  const text = (line ?? '').trim()
  if (line === undefined || readNumber(wordsOf(text)[0]) !== undefined) {
    throw refusal(FORMAT_ERRORS.malformed, 'The line that says "Direct" or "Cartesian" is missing.', { line: number })
  }
  if (/^[ck]/i.test(text)) return true
  if (!/^[df]/i.test(text)) {
    const message = `"${shorten(text)}" is neither Direct nor Cartesian; VASP reads it as Direct.`
    warnings.push({ code: 'coordinates-assumed-direct', message, line: number })
  }
  return false
}

interface PoscarRow {
  readonly place: Vector3
  readonly movable?: readonly [boolean, boolean, boolean]
  /** Text behind the numbers; some programs write the element there. */
  readonly trailer: string | undefined
}

function readRows(lines: readonly string[], start: number, total: number, selective: boolean): PoscarRow[] {
  const rows: PoscarRow[] = []
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
      const message = 'Selective dynamics needs three flags T or F after the coordinates.'
      throw refusal(FORMAT_ERRORS.malformed, message, place)
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
function elementsOf(
  header: PoscarHeader,
  rows: readonly PoscarRow[],
  firstLine: number,
  warnings: StructureWarning[],
): string[] {
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
    const message = `The file names no species; the title does: ${titled.join(' ')}.`
    warnings.push({ code: 'species-from-title', message, line: header.first + 1 })
    return header.blocks.flatMap((block, index) => new Array<string>(block.count).fill(titled[index] as string))
  }
  throw refusal(FORMAT_ERRORS.unknownSpecies, 'The file does not say which elements its atoms are (VASP 4).', {
    line: header.first + 6,
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
