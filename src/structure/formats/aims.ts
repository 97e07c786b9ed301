import { type Crystal, type CrystalSite, isMolecule, type ReadOptions, toCartesian } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { Vector3 } from '../linear-algebra.ts'
import { crystalOf, type FileAtom, labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { SpeciesNames } from './common/species-names.ts'
import { decimalColumns, linesOf, oneLine, requireNumber, requireVector, shorten, wordsOf } from './common/text.ts'
import { UnusedLines } from './common/unused-lines.ts'

/** The geometry file of FHI-aims; lengths are ångström. */
export const aimsFormat: StructureFormat = {
  name: 'aims',
  title: 'FHI-aims geometry.in',
  extensions: ['aims'],
  fileNames: /^geometry\.in(?:\.|$)/i,
  recognizes: (text) =>
    /^[ \t]*atom(?:_frac)?[ \t]+[-+.\d]\S*[ \t]+[-+.\d]\S*[ \t]+[-+.\d]\S*[ \t]+[A-Za-z]/m.test(text),
  parse: parseAims,
  print: printAims,
  writes: ['title', 'moments', 'fixedAtoms', 'fixedDirections', 'molecules'],
}

/** Keywords that speak of the atom before them. */
const OF_ATOMS: ReadonlySet<string> = new Set(['initial_charge', 'velocity', 'RT_TDDFT_initial_velocity'])

class AimsReader {
  readonly vectors: Vector3[] = []
  readonly atoms: FileAtom[] = []
  readonly names = new SpeciesNames('The last word of the line is the symbol of the element, such as Fe or Fe_up.')
  readonly unused = new UnusedLines()

  line(words: readonly string[], line: number): void {
    const [keyword = '', ...values] = words
    if (keyword === 'lattice_vector') this.vectors.push(requireVector(values, 'A lattice vector', { line }))
    else if (/^(?:atom|atom_frac|empty)$/.test(keyword)) this.#atom(keyword, values, line)
    else if (this.atoms.length > 0 && keyword === 'constrain_relaxation') this.#constrain(values, line)
    else if (this.atoms.length > 0 && keyword === 'initial_moment') {
      const moment = requireNumber(values[0], 'The moment', { line })
      if (moment !== 0) this.#tell({ moment: [0, 0, moment] })
    } else if (OF_ATOMS.has(keyword)) this.unused.ofAtom(keyword, values.join(' '))
    else this.unused.add(keyword, values.join(' '))
  }

  #atom(keyword: string, values: readonly string[], line: number): void {
    const place = requireVector(values, 'A place', { line })
    const [, , , name] = values
    if (name === undefined) {
      const hint = `Write ${keyword} x y z and the species, such as Fe.`
      throw refusal(FORMAT_ERRORS.malformed, 'The atom has no species.', { line, hint })
    }
    const species =
      keyword === 'empty'
        ? this.names.take(`empty ${name}`, { element: null, sure: true }, { line })
        : this.names.ofType(name, { line })
    this.atoms.push({ species, place, isFraction: keyword === 'atom_frac', line, ...labelled(name, species) })
  }

  #constrain([what = '']: readonly string[], line: number): void {
    if (/^\.?f/i.test(what)) return
    const axis = ['x', 'y', 'z'].indexOf(what.toLowerCase())
    if (axis === -1 && !/^\.?t/i.test(what)) {
      const hint = 'Write .true., .false., x, y or z.'
      throw refusal(FORMAT_ERRORS.malformed, `constrain_relaxation is "${shorten(what)}".`, { line, hint })
    }
    const before = this.atoms.at(-1)?.details?.movable ?? [true, true, true]
    const [x, y, z] = before.map((free, one) => free && axis !== -1 && one !== axis) as [boolean, boolean, boolean]
    this.#tell({ movable: [x, y, z] })
  }

  /** Adds to what is known of the last atom. */
  #tell(details: FileAtom['details']): void {
    const atom = this.atoms.pop()
    if (atom !== undefined) this.atoms.push({ ...atom, details: { ...atom.details, ...details } })
  }
}

function parseAims(text: string, options: ReadOptions): Crystal {
  const lines = linesOf(text)
  const reader = new AimsReader()
  for (const [index, line] of lines.entries()) {
    const words = wordsOf(line.replace(/#.*$/, ''))
    if (words.length > 0) reader.line(words, index + 1)
  }
  const { vectors, atoms, names, unused } = reader
  if (vectors.length !== 0 && vectors.length !== 3) {
    const message = `The file has ${vectors.length} lines lattice_vector.`
    throw refusal(FORMAT_ERRORS.impossibleCell, message, {
      hint: 'FHI-aims takes three of them, or none of a molecule.',
    })
  }
  const title = /^\s*#+\s*(\S.*)$/.exec(lines[0] ?? '')?.[1] ?? ''
  return crystalOf(
    { title: /[A-Za-z]/.test(title) ? title.trim() : '', vectors, atoms, names, warnings: [], rest: unused.rest },
    options,
  )
}

/** Writes fractions beside lattice vectors, and places in Å of a molecule; of moments those along z, which are all that the program knows. */
function printAims(crystal: Crystal): string {
  const fractions = crystal.sites.map(({ fraction }) => fraction)
  const [keyword, places] = isMolecule(crystal)
    ? ['atom', toCartesian(fractions, crystal.lattice)]
    : ['atom_frac', fractions]
  const row = (site: CrystalSite, index: number): readonly string[] => [
    `${keyword.padEnd(14)} ${decimalColumns(places[index] as Vector3)} ${site.element}`,
    ...(site.movable ?? []).flatMap((free, axis) => (free ? [] : [`constrain_relaxation ${'xyz'.charAt(axis)}`])),
    ...(site.moment === undefined ? [] : [`initial_moment ${site.moment[2]}`]),
  ]
  return `${[
    `# ${oneLine(crystal.title, 'crystal')}`,
    ...(isMolecule(crystal) ? [] : crystal.lattice.map((vector) => `lattice_vector ${decimalColumns(vector)}`)),
    ...crystal.sites.flatMap(row),
  ].join('\n')}\n`
}
