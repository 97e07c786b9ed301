import { type Crystal, isMolecule, type ReadOptions, toCartesian } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { minus, type Vector3 } from '../linear-algebra.ts'
import { crystalOf, type FileAtom, labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { SpeciesNames } from './common/species-names.ts'
import {
  decimalColumns,
  linesOf,
  oneLine,
  readCount,
  requireFewAtoms,
  requireVector,
  shorten,
  wordsOf,
} from './common/text.ts'
import { UnusedLines } from './common/unused-lines.ts'

/** The number of atoms, the boundary conditions, a line of names, the first atom. */
const GEN = /^\s*(?:#[^\n]*\n\s*)*\d+[ \t]+[CSFH][ \t]*(?:#[^\n]*)?\n\s*[A-Z][^\n]*\n\s*\d+[ \t]+\d+[ \t]+[-+.\d]/i

/** The geometry of DFTB+; lengths are ångström. */
export const genFormat: StructureFormat = {
  name: 'gen',
  title: 'DFTB+ .gen',
  extensions: ['gen'],
  recognizes: (text) => GEN.test(text.slice(0, 64 * 1024)),
  parse: parseGen,
  print: printGen,
  writes: ['title', 'molecules'],
}

interface GenLine {
  readonly words: readonly string[]
  /** Counted from 1. */
  readonly line: number
}

function parseGen(text: string, options: ReadOptions): Crystal {
  const rows = linesOf(text).map((row, index): GenLine => ({ words: wordsOf(row.replace(/#.*/, '')), line: index + 1 }))
  const [head, listed, ...others] = rows.filter(({ words }) => words.length > 0)
  const { count, boundary } = readHead(head, options)
  const isPeriodic = boundary !== 'C'
  const lines = count + (isPeriodic ? 4 : 0)
  if (others.length !== lines) {
    const message = `${count} atoms announced, with ${boundary} ${lines} lines below the names; ${others.length} found.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, {
      hint: 'An atom is a line; with S and F the origin and three lattice vectors follow.',
    })
  }
  const [origin = [0, 0, 0], ...vectors] = others
    .slice(count)
    .map(({ words, line }) => requireVector(words, 'A vector', { line }))
  const names = new SpeciesNames('The second line has the symbols of the elements: Si O.')
  const unused = new UnusedLines()
  const atoms = others.slice(0, count).map(({ words, line }): FileAtom => {
    const name = listed?.words[(readCount(words[1]) ?? 0) - 1]
    if (name === undefined) {
      const message = `The second number of the atom is "${shorten(words[1] ?? '')}", and no name of the second line.`
      throw refusal(FORMAT_ERRORS.malformed, message, { line, hint: 'An atom is: number, number of the name, x y z.' })
    }
    const place = minus(requireVector(words.slice(2), 'A place', { line }), origin)
    unused.ofAtom('columns behind the place', words.slice(5).join(' '))
    const species = names.ofType(name, { line })
    return { species, place, isFraction: boundary === 'F', line, ...labelled(name, species) }
  })
  const title = /^[^\n#]*#+([^\n]*)/.exec(text)?.[1]?.trim() ?? ''
  return crystalOf({ title, vectors, atoms, names, warnings: [], rest: unused.rest }, options)
}

function readHead(head: GenLine | undefined, options: ReadOptions): { count: number; boundary: 'C' | 'S' | 'F' } {
  const [number, letter = ''] = head?.words ?? []
  const place = head === undefined ? {} : { line: head.line }
  const count = readCount(number)
  const boundary = letter.toUpperCase()
  const hint = 'The file begins with the number of atoms and C (cluster), S (supercell) or F (fractions).'
  if (boundary === 'H') {
    const message = 'The geometry is helical, which a lattice cannot say.'
    throw refusal(FORMAT_ERRORS.notRepresentable, message, {
      ...place,
      hint: 'Send a piece of it that repeats along a lattice vector, as S or F.',
    })
  }
  if (count === undefined || (boundary !== 'C' && boundary !== 'S' && boundary !== 'F')) {
    const message = `The file begins with "${shorten(head?.words.join(' ') ?? '')}".`
    throw refusal(FORMAT_ERRORS.malformed, message, { ...place, hint })
  }
  requireFewAtoms(count, options, place)
  return { count, boundary }
}

/** Writes fractions, or places in Å of a molecule. */
function printGen(crystal: Crystal): string {
  const { title, lattice, sites } = crystal
  const fractions = sites.map(({ fraction }) => fraction)
  const [letter, places] = isMolecule(crystal) ? ['C', toCartesian(fractions, lattice)] : ['F', fractions]
  const elements = [...new Set(sites.map(({ element }) => element))]
  const vectors: readonly Vector3[] = isMolecule(crystal) ? [] : [[0, 0, 0], ...lattice]
  return `${[
    `${sites.length} ${letter} # ${oneLine(title, 'crystal')}`,
    elements.join(' '),
    ...sites.map(
      ({ element }, index) =>
        `${index + 1} ${elements.indexOf(element) + 1} ${decimalColumns(places[index] as Vector3)}`,
    ),
    ...vectors.map((vector) => decimalColumns(vector)),
  ].join('\n')}\n`
}
