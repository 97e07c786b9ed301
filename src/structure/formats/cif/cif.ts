import { vectorsFromParameters } from '../../cell.ts'
import { type Crystal, PERIODIC, type ReadOptions, type StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { ElementCounts } from '../../formula.ts'
import { vectorsVolume } from '../../lattice.ts'
import type { StructureFormat } from '../common/format.ts'
import { HYDROGEN, printCounts, sameRatios } from '../common/species.ts'
import { LineSplitter } from '../common/splitter.ts'
import { linesOf, normalizeText, requireAtoms } from '../common/text.ts'
import { applySymmetry } from './apply.ts'
import { readAtoms } from './atoms.ts'
import { CifBlocks } from './blocks.ts'
import { checkVolume, readCell } from './cell.ts'
import { readStatedContents } from './contents.ts'
import { type CifBlock, findItem, peekItem, readCifDocument, readCifNumber } from './document.ts'
import { checkCloseImages } from './expand.ts'
import { hasMagneticOperators, magneticAtoms } from './magnetic.ts'
import { printCif } from './print.ts'
import { restOfCif } from './rest.ts'
import { structuresOf } from './structures.ts'
import { NO_SYMMETRY, readSymmetry, type StatedSymmetry } from './symmetry.ts'

/** Crystallographic Information File, versions 1.1 and 2.0, in core and mmCIF spelling. */
export const cifFormat: StructureFormat = {
  name: 'cif',
  title: 'CIF',
  extensions: ['cif', 'mmcif'],
  recognizes: isCif,
  splitter: (limits) => new LineSplitter(limits, new CifBlocks(limits)),
  hasSymmetry: true,
  parse: parseCif,
  print: printCif,
  writes: ['title', 'moments', 'crossMoments', 'isotopes', 'oxidationStates', 'occupancies', 'disorderGroups'],
}

/** The first line that is no comment begins a data block; a file that lost this line still has the tags of a cell. */
function isCif(text: string): boolean {
  const first = linesOf(text.slice(0, 50_000)).find((line) => !/^\s*(?:#|$)/.test(line))
  return /^\s*data_/i.test(first ?? '') || /^[ \t]*_(?:cell_length_a|cell\.length_a|atom_site)/im.test(text)
}

/** Reads a data block that lists atoms, and applies its symmetry. */
export function parseCif(text: string, options: ReadOptions = {}): Crystal {
  const warnings: StructureWarning[] = []
  const all = readCifDocument(normalizeText(text))
  const [block] = structuresOf(all) as [CifBlock]
  const isMagnetic = hasMagneticOperators(block) || hasMomentsAlone(block)
  refuseWhatHasNoForm(block, isMagnetic)
  warnings.push(...block.warnings)
  const symmetry = isMagnetic ? WHOLE_CELL : readSymmetry(block)
  const cell = readCell(block, warnings, mayBeHexagonal(symmetry))
  const lattice = vectorsFromParameters(cell)
  checkVolume(block, vectorsVolume(lattice), warnings)
  const contents = readStatedContents(block)
  const { formula } = contents
  const { atoms: listed, warnings: ofAtoms } = readAtoms(block, cell, new Set(formula.keys()), options)
  warnings.push(...ofAtoms)
  const atoms = isMagnetic ? magneticAtoms(block, listed, lattice) : listed
  if (atoms.length === 0) requireAtoms({ title: '', lattice, periodic: PERIODIC, sites: [], warnings })
  const { sites, counts, choice, warnings: ofSymmetry } = applySymmetry(symmetry, { atoms, lattice, contents, options })
  warnings.push(...ofSymmetry)
  warnOfOtherComposition(counts, formula, warnings)
  if (choice.operators.length > 1) checkCloseImages(sites, lattice, warnings)
  const icsd = readCifNumber(findItem(block, ['_database_code_icsd'])?.text ?? '')
  const title = titleOf(block)
  // Blocks without atoms speak of the only structure that there is.
  const { rest, told } = restOfCif([block, ...all.filter((one) => one !== block)])
  warnings.push(...told)
  return requireAtoms({
    title,
    rest,
    lattice,
    periodic: PERIODIC,
    sites,
    warnings,
    ...(icsd === undefined ? {} : { icsdId: icsd }),
    ...(symmetry.declaredGroup === undefined ? {} : { declaredGroup: symmetry.declaredGroup }),
  })
}

/** The operators of a magnetic group have made all atoms already. */
const WHOLE_CELL: StatedSymmetry = {
  listed: { ...NO_SYMMETRY, keys: new Set(['x,y,z']), line: 1 },
  named: [],
  declaredGroup: undefined,
}

const THIRD_ABOUT_C = '0,-1,0;1,-1,0;0,0,1'

/** Tells whether a block gives moments beside all atoms of the cell: where there is no symmetry but the identity, that needs no magnetic group. */
function hasMomentsAlone(block: CifBlock): boolean {
  const tags = [...block.items.keys(), ...block.loops.flatMap((loop) => loop.tags)]
  if (
    !tags.some((tag) => tag.startsWith('_atom_site_moment')) ||
    tags.some((tag) => tag.startsWith('_space_group_magn'))
  )
    return false
  const { listed, named } = readSymmetry(block)
  return [listed ?? named[0] ?? NO_SYMMETRY].every(({ operators }) => operators.length === 1)
}

/** Magnetic and modulated structures are more than atoms at places; reading only these would say something else. */
function refuseWhatHasNoForm(block: CifBlock, isMagnetic: boolean): void {
  const tags = [...block.items.keys(), ...block.loops.flatMap((loop) => loop.tags)]
  const magnetic = tags.find((tag) => /^_(?:space_group_symop_magn|space_group_magn|atom_site_moment)/.test(tag))
  if (magnetic !== undefined && !isMagnetic) {
    throw refusal(FORMAT_ERRORS.notRepresentable, `The file describes a magnetic structure (${magnetic}).`, {
      hint: 'Give the operators of the magnetic group (_space_group_symop_magn_operation.xyz), or send the crystal without moments.',
    })
  }
  const modulated = tags.find((tag) =>
    /^_(?:space_group_ssg|space_group_symop_ssg|cell_wave_vector|cell_modulation)/.test(tag),
  )
  if (modulated !== undefined) {
    throw refusal(FORMAT_ERRORS.notRepresentable, `The file describes a modulated structure (${modulated}).`, {
      hint: 'Send an approximant in a three-dimensional space group.',
    })
  }
}

function mayBeHexagonal({ listed, named }: StatedSymmetry): boolean {
  const choices = listed === undefined ? named : [listed]
  return choices.some(({ operators }) => operators.some(({ rotation }) => rotation.join(';') === THIRD_ABOUT_C))
}

function warnOfOtherComposition(counts: ElementCounts, formula: ElementCounts, warnings: StructureWarning[]): void {
  if (formula.size === 0) return
  if (sameRatios(counts, formula)) return
  const hydrogenOnly = sameRatios(counts, formula, HYDROGEN)
  const message = `The atoms make ${printCounts(counts)}, but the file states ${printCounts(formula)}.`
  warnings.push({ code: hydrogenOnly ? 'hydrogen-differs' : 'composition-differs', message })
}

const TITLE_TAGS = [
  '_chemical_name_mineral',
  '_chemical_name_common',
  '_chemical_name_systematic',
  '_chemical_formula_structural',
  '_chemical_formula_sum',
]

function titleOf(block: CifBlock): string {
  const item = peekItem(block, TITLE_TAGS)
  return (item?.text ?? block.name).replace(/\s+/g, ' ').trim()
}
