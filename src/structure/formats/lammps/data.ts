import { parametersOf, vectorsAlongX } from '../../cell.ts'
import { type Crystal, type ReadOptions, rightHanded, type StructureWarning, toCartesian } from '../../crystal.ts'
import { massOfAtom } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { crystalOf, type FileAtom, labelled } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import {
  decimal,
  decimalColumns,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireFewAtoms,
  requireVector,
  shorten,
  wordsOf,
} from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'
import { type LammpsBox, latticeOf, placeInBox, tiltedBox } from './box.ts'
import { angstromPerUnit, areUnitMasses, type LammpsType, speciesOfType } from './types.ts'

/** The file that LAMMPS reads with `read_data`. */
export const lammpsDataFormat: StructureFormat = {
  name: 'lammps-data',
  title: 'LAMMPS data file',
  extensions: ['lmp', 'lammps'],
  // Tables and texts are called so, too.
  fileNames: /^data\.(?!(?:csv|tsv|txt|dat|json|xml)$)[^.]+$/i,
  recognizes: (text) => /^[ \t]*\d+[ \t]+atoms[ \t]*(?:#.*)?$/m.test(text) && /^[ \t]*Atoms\b/m.test(text),
  parse: parseData,
  print: printData,
  writes: ['title', 'isotopes', 'labels'],
}

const SECTION =
  /^(?:Atoms|Velocities|Masses|Bonds|Angles|Dihedrals|Impropers|Ellipsoids|Lines|Triangles|Bodies|[A-Z][a-z]+ Type Labels|[A-Z][A-Za-z]+ Coeffs)$/

interface DataRow {
  readonly words: readonly string[]
  readonly comment: string
  readonly line: number
}

/** A data file taken apart. */
interface DataFile {
  readonly title: string
  /** Numbers of the header by the words behind them: `xlo xhi`. */
  readonly header: ReadonlyMap<string, DataRow>
  readonly sections: ReadonlyMap<string, DataSection>
}

interface DataSection {
  /** Comment beside the name, which is the style of the atoms. */
  readonly style: string
  readonly rows: readonly DataRow[]
  readonly line: number
}

function takeApart(text: string): DataFile {
  const [title = '', ...lines] = linesOf(text)
  const header = new Map<string, DataRow>()
  const sections = new Map<string, DataSection>()
  let rows: DataRow[] | null = null
  for (const [index, text] of lines.entries()) {
    const mark = text.indexOf('#')
    const [content, comment] = mark === -1 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1).trim()]
    const words = wordsOf(content)
    const line = index + 2
    if (words.length === 0) continue
    if (SECTION.test(words.join(' '))) {
      rows = []
      sections.set(words.join(' '), { style: wordsOf(comment)[0] ?? '', rows, line })
    } else if (rows !== null) rows.push({ words, comment, line })
    else {
      const numbers = words.findIndex((word) => readNumber(word) === undefined)
      const key = numbers === -1 ? '' : words.slice(numbers).join(' ')
      header.set(key, { words: words.slice(0, numbers), comment, line })
    }
  }
  return { title: title.trim(), header, sections }
}

function parseData(text: string, options: ReadOptions): Crystal {
  const file = takeApart(text)
  const warnings: StructureWarning[] = []
  const section = file.sections.get('Atoms')
  if (section === undefined) throw refusal(FORMAT_ERRORS.noStructure, 'The file has no section Atoms.')
  const { rows, line } = section
  requireFewAtoms(rows.length, options, { line })
  const announced = readCount(file.header.get('atoms')?.words[0])
  if (announced !== undefined && announced !== rows.length) {
    const message = `${announced} atoms announced, ${rows.length} found.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line })
  }
  const units = /\bunits\s?=\s?(\w+)/.exec(file.title)?.[1]
  const unit = angstromPerUnit(units, { line: 1 }, warnings)
  const box = boxOf(file)
  const names = new SpeciesNames('The comment of a mass is the symbol of the element: 1 28.0855 # Si.')
  const types = typesOf(file)
  const columns = columnsOf(section, warnings)
  const unused = unusedSections(file)
  const inOrder = [...rows].sort((one, other) => Number(one.words[0]) - Number(other.words[0]))
  const atoms = inOrder.map(({ words, line }): FileAtom => {
    const type = words[columns.type] ?? ''
    const place = requireVector(words.slice(columns.place, columns.place + 3), 'A place', { line })
    if (columns.charge !== undefined) unused.ofAtom('charge', words[columns.charge] ?? '')
    if (columns.molecule !== undefined) unused.ofAtom('molecule', words[columns.molecule] ?? '')
    const species = speciesOfType(type, types.get(type) ?? {}, { names, place: { line } })
    const { label = '' } = types.get(type) ?? {}
    return { species, place: placeInBox(place, box, unit), isFraction: false, line, ...labelled(label, species) }
  })
  const title = file.title.replace(/^#\s*/, '').replace(/,? units ?= ?\w+$/, '')
  return crystalOf({ title, vectors: latticeOf(box, unit, {}), atoms, names, warnings, rest: unused.rest }, options)
}

/** The box of the header: low and high with tilts, or three vectors. */
function boxOf({ header }: DataFile): LammpsBox {
  const vector = (key: string): Vector3 | undefined => {
    const row = header.get(key)
    return row === undefined ? undefined : requireVector(row.words, key, { line: row.line })
  }
  const [a, b, c] = [vector('avec'), vector('bvec'), vector('cvec')]
  if (a !== undefined && b !== undefined && c !== undefined)
    return { vectors: [a, b, c], origin: vector('abc origin') ?? [0, 0, 0] }
  const bounds = ['xlo xhi', 'ylo yhi', 'zlo zhi'].map((key) => {
    const row = header.get(key)
    const [low, high] = [readNumber(row?.words[0]), readNumber(row?.words[1])]
    if (low !== undefined && high !== undefined) return [low, high] as const
    const hint = 'The header gives the box by lines of two numbers and xlo xhi, ylo yhi, zlo zhi.'
    throw refusal(FORMAT_ERRORS.impossibleCell, `The file has no ${key}.`, { hint })
  }) as unknown as readonly [AxisBounds, AxisBounds, AxisBounds]
  const [x, y, z] = bounds
  return tiltedBox([x[0], y[0], z[0]], [x[1], y[1], z[1]], vector('xy xz yz') ?? [0, 0, 0])
}

/** Lowest and highest place along an axis. */
type AxisBounds = readonly [low: number, high: number]

/** What the file says of each type, by its number and by its label. */
function typesOf({ sections }: DataFile): ReadonlyMap<string, LammpsType> {
  const labels = new Map<string, string>()
  for (const { words } of sections.get('Atom Type Labels')?.rows ?? []) labels.set(words[0] ?? '', words[1] ?? '')
  const rows = sections.get('Masses')?.rows ?? []
  const masses = rows.map(({ words }) => readNumber(words[1]))
  const isNothing = areUnitMasses(masses)
  const types = new Map<string, LammpsType>([...labels].map(([type, label]) => [type, { label }]))
  for (const [index, { words, comment }] of rows.entries()) {
    const [type = ''] = words
    const label = wordsOf(comment)[0] ?? labels.get(type) ?? (readCount(type) === undefined ? type : undefined)
    types.set(type, { label, mass: isNothing ? undefined : masses[index] })
  }
  for (const [type, label] of labels) {
    const known = types.get(label) ?? types.get(type)
    if (known === undefined) continue
    types.set(type, { ...known, label })
    types.set(label, { ...known, label })
  }
  return types
}

/** In which words of a row the type, the place and the rest are. */
interface DataColumns {
  readonly type: number
  readonly place: number
  readonly charge?: number
  readonly molecule?: number
}

const STYLES: Readonly<Record<string, DataColumns>> = {
  atomic: { type: 1, place: 2 },
  charge: { type: 1, charge: 2, place: 3 },
  molecular: { molecule: 1, type: 2, place: 3 },
  bond: { molecule: 1, type: 2, place: 3 },
  angle: { molecule: 1, type: 2, place: 3 },
  full: { molecule: 1, type: 2, charge: 3, place: 4 },
}

/** The columns of the style beside `Atoms`, else of the one that the numbers of words tell, with a warning. */
function columnsOf({ style, rows, line }: DataSection, warnings: StructureWarning[]): DataColumns {
  const name = style === '' ? styleOfRows(rows) : style
  const columns = name !== undefined && Object.hasOwn(STYLES, name) ? STYLES[name] : undefined
  if (columns === undefined) {
    const message = style === '' ? 'The style of the atoms is not known.' : `The style "${shorten(style)}" is not read.`
    const hint = `Write one of ${Object.keys(STYLES).join(', ')} behind Atoms, as a comment: Atoms # atomic.`
    throw refusal(FORMAT_ERRORS.notRepresentable, message, { line, hint })
  }
  if (style === '') {
    const message = `No style stands behind Atoms: ${name} is assumed, by the columns.`
    warnings.push({ code: 'style-assumed', message, line })
  }
  return columns
}

function styleOfRows(rows: readonly DataRow[]): string | undefined {
  const width = rows[0]?.words.length ?? 0
  if (rows.some(({ words }) => words.length !== width)) return undefined
  if (width === 5 || width === 8) return 'atomic'
  if (width === 7 || width === 10) return 'full'
  if (width !== 6 && width !== 9) return undefined
  // A charge is hardly ever a whole number greater than 0 for all atoms; a type is always.
  return rows.every(({ words }) => (readCount(words[2]) ?? 0) > 0) ? 'molecular' : 'charge'
}

const READ_SECTIONS: ReadonlySet<string> = new Set(['Atoms', 'Masses', 'Atom Type Labels'])

function unusedSections({ sections }: DataFile): UnusedLines {
  const unused = new UnusedLines()
  for (const [name, { rows }] of sections) {
    if (READ_SECTIONS.has(name)) continue
    for (const { words } of rows) unused.ofAtom(name, words.slice(1).join(' '))
  }
  return unused
}

/** Writes the style `atomic` in the units `metal`, with a along x and b in the xy plane, as LAMMPS wants them. */
function printData(given: Crystal): string {
  const crystal = rightHanded(given)
  const [a, b, c] = vectorsAlongX(parametersOf(crystal.lattice))
  const places = toCartesian(
    crystal.sites.map(({ fraction }) => fraction),
    [a, b, c],
  )
  const keys = crystal.sites.map(({ element, speciesTag = '', isotope }) => `${element}${speciesTag} ${isotope}`)
  const types = new Map(crystal.sites.map((site, index) => [keys[index] as string, site]))
  const numbers = new Map([...types.keys()].map((key, index) => [key, index + 1]))
  const bounds = ['x', 'y', 'z'].map(
    (axis, index) => `0 ${decimal([a[0], b[1], c[2]][index] as number)} ${axis}lo ${axis}hi`,
  )
  return `${[
    `${oneLine(crystal.title, 'crystal')}, units = metal`,
    '',
    `${crystal.sites.length} atoms`,
    `${types.size} atom types`,
    '',
    ...bounds,
    `${[b[0], c[0], c[1]].map(decimal).join(' ')} xy xz yz`,
    '',
    'Masses',
    '',
    ...[...types.values()].map(
      (site, index) => `${index + 1} ${massOfAtom(site)} # ${site.element}${site.speciesTag ?? ''}`,
    ),
    '',
    'Atoms # atomic',
    '',
    ...places.map((place, index) => `${index + 1} ${numbers.get(keys[index] as string)} ${decimalColumns(place)}`),
  ].join('\n')}\n`
}
