import type { JsonObject } from '../../kernel/json.ts'
import { fractionsOf } from '../cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Vector3 } from '../linear-algebra.ts'
import { labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { elementNamed } from './common/species.ts'
import { withSpeciesTags } from './common/species-labels.ts'
import { type NamedSpecies, SpeciesNames } from './common/species-names.ts'
import { LineSplitter } from './common/splitter.ts'
import {
  decimal,
  decimalColumns,
  linesOf,
  oneLine,
  readNumber,
  requireAtoms,
  requireFewAtoms,
  requireVector,
  shorten,
  wordsOf,
} from './common/text.ts'
import { atomsOf, isGrid, isPoscar, type PoscarHeader, placesBehind, readHeader } from './poscar-header.ts'
import { PoscarSteps } from './poscar-steps.ts'

/** The structure files of VASP (POSCAR, CONTCAR, XDATCAR); the sixth line names the species since VASP 5. */
export const poscarFormat: StructureFormat = {
  name: 'poscar',
  title: 'VASP POSCAR',
  extensions: ['poscar', 'vasp', 'contcar', 'xdatcar'],
  fileNames: /(?:^|[^a-z])(?:poscar|contcar|xdatcar)(?:[^a-z]|$)/i,
  recognizes: isPoscar,
  splitter: (limits) => new LineSplitter(limits, new PoscarSteps(limits)),
  parse: parsePoscar,
  print: printPoscar,
  writes: ['title', 'fixedAtoms', 'fixedDirections'],
}

export function parsePoscar(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const warnings: StructureWarning[] = []
  const header = readHeader(lines, 0)
  const [start, total] = [header.next, atomsOf(header)]
  requireFewAtoms(total, options, { line: start })
  if (total === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The counts add up to no atoms.', { line: start })
  const isSelective = /^\s*s/i.test(lines[start] ?? '')
  const places = placesBehind(lines, start)
  const cartesian = isCartesian(lines[places - 1], places, warnings)
  const rows = readRows(lines, places, total, isSelective)
  const tail = tailOf(lines, { places, total }, warnings)
  const names = new SpeciesNames('Line 6 lists the symbols of the elements.')
  const { species, unread } = speciesOf(header, rows, places + 1, { names, warnings })
  warnings.push(...names.warnings)
  const fractions = cartesian
    ? fractionsOf(
        rows.map(({ place }) => place.map((x, axis) => x * (header.factors[axis] as number)) as unknown as Vector3),
        header.lattice,
      )
    : rows.map(({ place }) => place)
  const sites = rows.flatMap((row, index): readonly CrystalSite[] => {
    const named = species[index] ?? null
    if (named === null) return []
    const fixed = row.movable?.includes(false) ? { movable: row.movable } : {}
    return [{ ...named, fraction: fractions[index] as Vector3, ...fixed }]
  })
  return requireAtoms({
    title: header.title,
    lattice: header.lattice,
    periodic: PERIODIC,
    sites: withSpeciesTags(sites, 'species', warnings),
    warnings,
    rest: { values: potentialsOf(header), leftOut: [...tail, ...unread] },
  })
}

/** Names of potentials that say more than the element: `Fe_pv`. */
function potentialsOf({ blocks }: PoscarHeader): JsonObject {
  const symbols = blocks.flatMap(({ symbol }) => symbol ?? [])
  return symbols.some((symbol) => /[_/.]/.test(symbol)) ? { potentials: symbols } : {}
}

/** Names what stands behind the coordinates. A line of three numbers directly behind the last is one atom more; velocities stand behind a blank line. */
function tailOf(
  lines: readonly string[],
  { places, total }: { readonly places: number; readonly total: number },
  warnings: StructureWarning[],
): readonly string[] {
  const first = places + total
  if (isVector(lines[first])) {
    const message = 'More coordinates follow than the numbers of atoms announce; they are left out.'
    warnings.push({ code: 'more-coordinates', message, line: first + 1 })
    return []
  }
  const names: string[] = []
  let tail = lines.slice(first).filter((line) => line.trim() !== '')
  if (/^\s*l/i.test(tail[0] ?? '')) {
    names.push('lattice velocities and vectors')
    tail = tail.slice(LINES_OF_LATTICE)
  }
  if (isGrid(tail[0])) return [...names, `values on a grid (${wordsOf(tail[0] ?? '').join(' × ')})`]
  if (/^\s*[cdk]/i.test(tail[0] ?? '')) tail = tail.slice(1)
  const velocities = tail.slice(0, total)
  if (velocities.length === total && velocities.every(isVector)) {
    if (velocities.some((line) => wordsOf(line).some((word) => readNumber(word) !== 0)))
      names.push(`velocities (${total} × 3)`)
    tail = tail.slice(total)
  }
  if (tail.length > 0)
    names.push(
      `${/^\s*1\s*$/.test(tail[0] ?? '') ? 'predictor-corrector' : 'lines behind the coordinates'} (${tail.length})`,
    )
  return names
}

/** `Lattice velocities and vectors`, a number, and six vectors. */
const LINES_OF_LATTICE = 8

function isVector(line: string | undefined): boolean {
  const words = wordsOf(line ?? '').slice(0, 3)
  return words.length === 3 && words.every((word) => readNumber(word) !== undefined)
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
      rows.push({ place: coordinates, trailer: trailerOf(words, flagged ? 6 : 3) })
      continue
    }
    const flags = words.slice(3, 6).map((word) => readFlag(word))
    if (flags.length < 3 || flags.includes(undefined)) {
      const message = 'Selective dynamics needs three flags T or F after the coordinates.'
      throw refusal(FORMAT_ERRORS.malformed, message, place)
    }
    rows.push({
      place: coordinates,
      movable: flags as unknown as [boolean, boolean, boolean],
      trailer: trailerOf(words, 6),
    })
  }
  return rows
}

/** The first word behind the numbers, also of a comment. */
function trailerOf(words: readonly string[], start: number): string | undefined {
  return (
    words
      .slice(start)
      .join(' ')
      .replace(/^[!#\s]+/, '')
      .split(' ')[0] || undefined
  )
}

function readFlag(word: string): boolean | undefined {
  if (/^\.?t/i.test(word)) return true
  return /^\.?f/i.test(word) ? false : undefined
}

/** What speaks of the species while a file is read. */
interface Telling {
  readonly names: SpeciesNames
  readonly warnings: StructureWarning[]
}

interface PoscarSpecies {
  readonly species: readonly (NamedSpecies | null)[]
  /** Texts of rows that name no element. */
  readonly unread: readonly string[]
}

/** The species of every row: from line 6, else from the ends of the rows, else from the title; else the file is refused. */
function speciesOf(
  { blocks, title, first }: PoscarHeader,
  rows: readonly PoscarRow[],
  firstLine: number,
  { names, warnings }: Telling,
): PoscarSpecies {
  const trailing = rows.map(({ trailer = '' }) => /^[A-Za-z]{1,2}(?![A-Za-z])/.exec(trailer)?.[0] ?? '')
  const marked = trailing.map(elementNamed)
  const texts = rows.filter(({ trailer }, index) => trailer !== undefined && marked[index] === undefined).length
  const unread = texts === 0 ? [] : [`text behind the coordinates (${texts})`]
  const ofBlocks = (named: (block: (typeof blocks)[number], index: number) => NamedSpecies | null): PoscarSpecies => ({
    species: blocks.flatMap((block, index) => new Array<NamedSpecies | null>(block.count).fill(named(block, index))),
    unread,
  })
  if (blocks.every(({ symbol }) => symbol !== undefined)) {
    const place = { line: first + 6 }
    // `Fe`, `Fe_pv`, `Fe_sv/9f3a`, `Fe/9f3a`: the element before the name of the potential.
    const read = ofBlocks(({ symbol = '' }) => {
      const name = symbol.split(/[_/.]/)[0] ?? ''
      const named = names.ofType(name, place)
      return named === null ? null : { ...named, ...labelled(name, named).details }
    })
    const other = marked.findIndex(
      (element, index) => element !== undefined && element !== read.species[index]?.element,
    )
    if (other !== -1) {
      const declared = read.species[other]?.element ?? 'no atom'
      const message = `The row is marked ${marked[other]}, but by its position it is ${declared}, which was taken.`
      warnings.push({ code: 'species-disagree', message, line: firstLine + other })
    }
    return read
  }
  if (marked.every((element) => element !== undefined))
    return { species: trailing.map((name, index) => names.ofType(name, { line: firstLine + index })), unread }
  const titled = titleElements(title, blocks.length)
  if (titled !== undefined) {
    const message = `The file names no species; the title does: ${titled.join(' ')}.`
    warnings.push({ code: 'species-from-title', message, line: first + 1 })
    return ofBlocks((_, index) => ({ element: titled[index] as string }))
  }
  throw refusal(FORMAT_ERRORS.unknownSpecies, 'The file does not say which elements its atoms are (VASP 4).', {
    line: first + 6,
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
  const runs: { element: string; tag: number | undefined; count: number }[] = []
  for (const { element, speciesTag: tag } of crystal.sites) {
    const last = runs.at(-1)
    if (last?.element === element && last.tag === tag) last.count++
    else runs.push({ element, tag, count: 1 })
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
