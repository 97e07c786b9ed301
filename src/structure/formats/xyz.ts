import { fractionsOf, requireCell } from '../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  isMolecule,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../crystal.ts'
import { massOfAtom } from '../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { type Matrix3, scale, type Vector3 } from '../linear-algebra.ts'
import { cellOfVectors, labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { withSpeciesTags } from './common/species-labels.ts'
import { SpeciesNames } from './common/species-names.ts'
import { LineSplitter } from './common/splitter.ts'
import {
  decimal,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireAtoms,
  requireFewAtoms,
  requireVector,
  wordsOf,
} from './common/text.ts'
import { XyzBlocks } from './xyz-blocks.ts'
import {
  type Columns,
  columnsOf,
  massColumn,
  momentColumn,
  readComment,
  readMoment,
  refusePartialRows,
  restOfXyz,
  type XyzColumn,
  type XyzComment,
} from './xyz-comment.ts'

/** Plain and extended XYZ: Cartesian places in ångström, in the extended form with a lattice. */
export const xyzFormat: StructureFormat = {
  name: 'xyz',
  title: 'XYZ and extended XYZ',
  extensions: ['xyz', 'extxyz'],
  recognizes: isXyz,
  splitter: (limits) => new LineSplitter(limits, new XyzBlocks(limits)),
  parse: parseXyz,
  print: printXyz,
  writes: [
    'title',
    'isotopes',
    'labels',
    'moments',
    'crossMoments',
    'fixedAtoms',
    'fixedDirections',
    'molecules',
    'directions',
  ],
}

function isXyz(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000))
  const [count, row] = [wordsOf(lines[0] ?? ''), wordsOf(lines[2] ?? '')]
  if (count.length !== 1 || readCount(count[0]) === undefined) return false
  return row.length >= 4 || /lattice\s*=|properties\s*=/i.test(lines[1] ?? '')
}

export function parseXyz(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const start = 0
  const warnings: StructureWarning[] = []
  const count = Number((lines[start] ?? '').trim())
  requireFewAtoms(count, options, { line: start + 1 })
  if (count === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The file announces no atoms.', { line: start + 1 })
  const comment = readComment(lines[start + 1] ?? '', start + 2)
  const columns = columnsOf(comment, start + 2)
  const names = new SpeciesNames('Use the symbol of an element, such as Si.')
  warnings.push(...(comment.warnings ?? []))
  const listed = Array.from({ length: count }, (_, index) =>
    readRow(lines, start + 2 + index, columns, { count, found: index }),
  )
  const [rows, vectors] = parted(listed, comment)
  if (!/(?:^|:)(?:z|numbers):/i.test(comment.properties ?? '')) warnOfNumbers(rows, comment.title, start + 3, warnings)
  const words = rows.map((row) => row.words)
  refusePartialRows(words, columns, start + 3)
  const { lattice, periodic } = cellOf(comment, vectors, rows, warnings)
  const [moments, masses, mask] = [momentColumn(columns), massColumn(columns), columns.others.get('move_mask')]
  const labels = columns.others.get(LABELS)
  const fractions = fractionsOf(
    rows.map(({ place }) => place),
    lattice,
  )
  const sites = rows.flatMap((row, index): readonly CrystalSite[] => {
    const place = { line: row.line }
    const number = readCount(row.name)
    const named = number === undefined ? names.ofType(row.name, place) : names.ofNumber(number, place)
    const species = names.withMass(named, masses && readNumber(row.words[masses.start]), place)
    if (species === null) return []
    const movable = mask === undefined ? undefined : readMask(row.words, mask)
    return [
      {
        ...species,
        ...(number === undefined ? labelled(nameIn(row, labels), species).details : {}),
        fraction: fractions[index] as Vector3,
        ...momentOf(moments === undefined ? undefined : readMoment(row.words, moments)),
        ...(movable?.includes(false) ? { movable } : {}),
      },
    ]
  })
  const tagged = withSpeciesTags(sites, labels === undefined ? 'atoms' : 'species', warnings)
  warnings.push(...names.warnings)
  const extra = comment.properties === undefined ? extraColumns(words) : []
  const rest = restOfXyz(words, columns, comment)
  return requireAtoms({
    title: comment.title,
    lattice,
    periodic,
    sites: tagged,
    warnings,
    rest: { ...rest, leftOut: [...rest.leftOut, ...extra] },
  })
}

/** The rows of atoms, and the vectors that rows called `Tv` are where the comment gives no lattice, as xtb, DFTB+ and MOPAC write it. */
function parted(
  listed: readonly XyzRow[],
  { lattice, unit = 1 }: XyzComment,
): readonly [readonly XyzRow[], readonly Vector3[]] {
  const rows = unit === 1 ? listed : listed.map((row) => ({ ...row, place: scale(row.place, unit) }))
  const isVector = ({ name }: XyzRow): boolean => /^tv$/i.test(name)
  const vectors = rows.filter(isVector)
  if (lattice !== undefined || vectors.length === 0 || vectors.length > 3) return [rows, []]
  return [rows.filter((row) => !isVector(row)), vectors.map(({ place }) => place)]
}

function cellOf(
  comment: XyzComment,
  vectors: readonly Vector3[],
  rows: readonly XyzRow[],
  warnings: StructureWarning[],
): Pick<Crystal, 'lattice' | 'periodic'> {
  const places = rows.map(({ place }) => place)
  if (comment.lattice !== undefined) {
    return { lattice: requireCell(comment.lattice, { line: comment.line }), periodic: comment.periodic ?? PERIODIC }
  }
  return cellOfVectors(vectors, places, warnings)
}

/** Columns that nothing names, by their numbers from 1. */
function extraColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const most = rows.reduce((width, words) => Math.max(width, words.length), 0)
  return most > 4 ? [`${most === 5 ? 'column 5' : `columns 5 to ${most}`} (${rows.length})`] : []
}

function momentOf(moment: Vector3 | undefined): Pick<CrystalSite, 'moment'> {
  return moment === undefined ? {} : { moment }
}

/** Codes of molecular dynamics number the species of a simulation from 1, which are not atomic numbers. */
function warnOfNumbers(rows: readonly XyzRow[], title: string, line: number, warnings: StructureWarning[]): void {
  if (!rows.some(({ name }) => readCount(name) !== undefined)) return
  if (/^Atoms\. Timestep:/.test(title)) {
    const message = 'The file numbers its types of atoms and does not name them.'
    const hint = 'Write the symbols of the elements in the first column (LAMMPS: dump_modify element).'
    throw refusal(FORMAT_ERRORS.unknownSpecies, message, { line, hint })
  }
  warnings.push({ code: 'species-assumed', message: 'The species are read as atomic numbers.', line })
}

interface XyzRow {
  readonly words: readonly string[]
  /** Of the species. */
  readonly name: string
  readonly place: Vector3
  readonly line: number
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
  return {
    words,
    name: words[columns.species.start] ?? '',
    place: requireVector(words.slice(columns.position.start), 'A coordinate', place),
    line: place.line,
  }
}

/** The column of labels that this server writes: others read symbols in that of the species. */
const LABELS = 'labels'

/** The name of an atom: its label, where there are labels. */
function nameIn({ name, words }: XyzRow, labels: XyzColumn | undefined): string {
  return labels === undefined ? name : (words[labels.start] ?? name)
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
  const isLabelled = crystal.sites.some((site) => site.speciesTag !== undefined)
  const weighed = crystal.sites.some((site) => site.isotope !== undefined)
  const properties = `Properties=species:S:1:pos:R:3${isLabelled ? `:${LABELS}:S:1` : ''}${weighed ? ':masses:R:1' : ''}${masked ? ':move_mask:L:3' : ''}${magnetic ? ':initial_magmoms:R:3' : ''}`
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
    const label = isLabelled ? ` ${site.element}${site.speciesTag ?? ''}` : ''
    const mass = weighed ? ` ${decimal(massOfAtom(site))}` : ''
    return `${site.element} ${place}${label}${mass}${mask}${moment}`
  })
  return `${[String(crystal.sites.length), comment.join(' '), ...rows].join('\n')}\n`
}

function latticeText(lattice: Matrix3): string {
  return lattice.map((row) => row.map(decimal).join(' ')).join(' ')
}
