import { completeCell, fractionsOf, requireCell } from '../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  isMolecule,
  NOT_PERIODIC,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Matrix3, Vector3 } from '../linear-algebra.ts'
import { chooseFrame, type StructureFormat } from './common/format.ts'
import { elementNumbered, requireElement } from './common/species.ts'
import {
  decimal,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireFewAtoms,
  requireVector,
  shorten,
  textOf,
  wordsOf,
} from './common/text.ts'
import {
  type Columns,
  columnsOf,
  droppedOfXyz,
  momentColumn,
  readComment,
  readMoment,
  refusePartialRows,
  type XyzColumn,
} from './xyz-comment.ts'

/** Plain and extended XYZ: Cartesian places in ångström, in the extended form with a lattice. */
export const xyzFormat: StructureFormat = {
  name: 'xyz',
  title: 'XYZ and extended XYZ',
  extensions: ['xyz', 'extxyz'],
  recognizes: isXyz,
  frames: xyzFrames,
  parse: parseXyz,
  print: printXyz,
  hasDirections: true,
}

function isXyz(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000))
  const [count, row] = [wordsOf(lines[0] ?? ''), wordsOf(lines[2] ?? '')]
  if (count.length !== 1 || readCount(count[0]) === undefined) return false
  return row.length >= 4 || /lattice\s*=|properties\s*=/i.test(lines[1] ?? '')
}

export function parseXyz(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const starts = frameStarts(lines)
  const warnings: StructureWarning[] = []
  const start = starts[chooseFrame(starts.length, options, warnings)] as number
  return readFrame(lines, start, options, warnings)
}

function* xyzFrames(text: string): Generator<string> {
  const lines = linesOf(text)
  const starts = frameStarts(lines)
  for (const [index, start] of starts.entries()) yield textOf(lines.slice(start, starts[index + 1]))
}

/** Start of each frame; refuses a file whose counts lead anywhere else than to its end. */
function frameStarts(lines: readonly string[]): number[] {
  const starts: number[] = []
  let next = 0
  while (next < lines.length) {
    if ((lines[next] ?? '').trim() === '') {
      next++
      continue
    }
    const words = wordsOf(lines[next] ?? '')
    const count = readCount(words[0])
    if (count === undefined || words.length > 1) {
      const message =
        starts.length === 0
          ? 'An XYZ file begins with the number of atoms.'
          : `"${shorten(lines[next] ?? '')}" follows the last of the announced atoms.`
      const hint = 'The first line gives the number of atoms that follow.'
      throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line: next + 1, hint })
    }
    starts.push(next)
    next += 2 + count
  }
  if (starts.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The file is empty.', {})
  return starts
}

function readFrame(
  lines: readonly string[],
  start: number,
  options: ReadOptions,
  warnings: StructureWarning[],
): Crystal {
  const count = Number((lines[start] ?? '').trim())
  requireFewAtoms(count, options, { line: start + 1 })
  if (count === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The file announces no atoms.', { line: start + 1 })
  const comment = readComment(lines[start + 1] ?? '', start + 2)
  const columns = columnsOf(comment, start + 2)
  const rows = Array.from({ length: count }, (_, index) =>
    readRow(lines, start + 2 + index, columns, { count, found: index }),
  )
  if (comment.lattice === undefined && comment.extended === false && rows.some((row) => row.extra)) {
    warnings.push({ code: 'columns-ignored', message: 'Columns after the coordinates are not kept.', line: start + 3 })
  }
  if (!/(?:^|:)(?:z|numbers):/i.test(comment.properties ?? '')) warnOfNumbers(rows, comment.title, start + 3, warnings)
  refusePartialRows(rows, columns, start + 3)
  warnings.push(...droppedOfXyz(rows, columns, comment).warnings)
  const places = rows.map((row) => row.place)
  const periodic = comment.lattice === undefined ? NOT_PERIODIC : (comment.periodic ?? PERIODIC)
  const lattice =
    comment.lattice === undefined ? completeCell([], places) : requireCell(comment.lattice, { line: start + 2 })
  if (comment.lattice === undefined) {
    const message = 'The file gives no lattice: the structure is taken as a molecule in a box.'
    warnings.push({ code: 'no-lattice', message })
  }
  const fractions = fractionsOf(places, lattice)
  const moments = momentColumn(columns)
  const sites = rows.map(
    (row, index): CrystalSite => ({
      element: row.element,
      fraction: fractions[index] as Vector3,
      ...momentOf(moments === undefined ? undefined : readMoment(row.words, moments)),
      ...(row.movable?.includes(false) ? { movable: row.movable } : {}),
    }),
  )
  return { title: comment.title, lattice, periodic, sites, warnings }
}

function momentOf(moment: Vector3 | undefined): Pick<CrystalSite, 'moment'> {
  return moment === undefined ? {} : { moment }
}

/** Codes of molecular dynamics number the species of a simulation from 1, which are not atomic numbers. */
function warnOfNumbers(rows: readonly XyzRow[], title: string, line: number, warnings: StructureWarning[]): void {
  if (!rows.some((row) => row.numbered)) return
  if (/^Atoms\. Timestep:/.test(title)) {
    const message = 'The file numbers its types of atoms and does not name them.'
    const hint = 'Write the symbols of the elements in the first column (LAMMPS: dump_modify element).'
    throw refusal(FORMAT_ERRORS.unknownSpecies, message, { line, hint })
  }
  warnings.push({ code: 'species-assumed', message: 'The species are read as atomic numbers.', line })
}

interface XyzRow {
  readonly words: readonly string[]
  readonly element: string
  readonly numbered: boolean
  readonly place: Vector3
  readonly movable: readonly [boolean, boolean, boolean] | undefined
  readonly extra: boolean
}

function readRow(
  lines: readonly string[],
  index: number,
  columns: Columns,
  announced: { count: number; found: number },
): XyzRow {
  const words = wordsOf(lines[index] ?? '')
  const place = { line: index + 1 }
  if (words.length === 0) {
    const message = `${announced.count} atoms announced, ${announced.found} found.`
    const hint = 'The first line gives the number of atoms that follow.'
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { ...place, hint })
  }
  const name = words[columns.species.start] ?? ''
  const number = readCount(name)
  const element = number === undefined ? requireElement(name, 'The species', place) : elementNumbered(number)
  if (element === undefined) {
    throw refusal(FORMAT_ERRORS.unknownSpecies, `No element has the atomic number ${name}.`, place)
  }
  return {
    words,
    element,
    numbered: number !== undefined,
    place: requireVector(words.slice(columns.position.start), 'A coordinate', place),
    movable: columns.movable === undefined ? undefined : readMask(words, columns.movable),
    extra: words.length > 4,
  }
}

function readMask(words: readonly string[], column: XyzColumn): readonly [boolean, boolean, boolean] {
  const flags = words
    .slice(column.start, column.start + column.width)
    .map((word) => /^t/i.test(word) || readNumber(word) === 1)
  const [x = true, y = x, z = x] = flags
  return [x, y, z]
}

/** Writes extended XYZ, which plain readers read too; molecules without their box. */
export function printXyz(crystal: Crystal): string {
  const places = toCartesian(
    crystal.sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const masked = crystal.sites.some((site) => site.movable !== undefined)
  const flags = (values: readonly boolean[]): string => values.map((value) => (value ? 'T' : 'F')).join(' ')
  const magnetic = crystal.sites.some((site) => site.moment !== undefined)
  const properties = `Properties=species:S:1:pos:R:3${masked ? ':move_mask:L:3' : ''}${magnetic ? ':initial_magmoms:R:3' : ''}`
  const comment = [
    ...(isMolecule(crystal) ? [] : [`Lattice="${latticeText(crystal.lattice)}"`]),
    properties,
    `title="${oneLine(crystal.title, '').replace(/["\\]/g, "'")}"`,
    `pbc="${flags(crystal.periodic)}"`,
  ]
  const rows = crystal.sites.map((site, index) => {
    const place = (places[index] as Vector3).map(decimal).join(' ')
    const mask = masked ? ` ${flags(site.movable ?? [true, true, true])}` : ''
    const moment = magnetic ? ` ${(site.moment ?? [0, 0, 0]).map(decimal).join(' ')}` : ''
    return `${site.element} ${place}${mask}${moment}`
  })
  return `${[String(crystal.sites.length), comment.join(' '), ...rows].join('\n')}\n`
}

function latticeText(lattice: Matrix3): string {
  return lattice.map((row) => row.map(decimal).join(' ')).join(' ')
}
