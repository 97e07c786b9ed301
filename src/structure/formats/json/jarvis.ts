import { isJsonObject, type JsonObject, ownField } from '../../../kernel/json.ts'
import { fractionsOf, requireCell } from '../../cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import type { StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { requireAtoms, requireFewAtoms } from '../common/text.ts'
import { ENTRIES, readEntry } from './entries.ts'
import {
  asMatrix,
  asVector,
  listField,
  objectField,
  restOf,
  takeAll,
  takeWhole,
  textField,
  wrongField,
} from './json-fields.ts'
import { JsonSplitter } from './list-splitter.ts'

/** Entries of JARVIS: `atoms` as `jarvis.core.atoms.Atoms.to_dict` writes them, alone or beside what was computed. */
export const jarvisFormat: StructureFormat = {
  name: 'jarvis',
  title: 'JARVIS JSON',
  extensions: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"lattice_mat"\s*:/.test(text) && /"coords"\s*:/.test(text),
  splitter: (limits) => new JsonSplitter(limits, ENTRIES),
  parse: parseJarvis,
}

function hasAtoms(entry: JsonObject): boolean {
  const atoms = ownField(entry, 'atoms')
  return (
    ownField(entry, 'lattice_mat') !== undefined ||
    (isJsonObject(atoms) && ownField(atoms, 'lattice_mat') !== undefined)
  )
}

/** Reads one entry; all but the atoms is what else it says. */
function parseJarvis(text: string, options: ReadOptions): Crystal {
  const entry = readEntry(text, hasAtoms)
  const atoms = ownField(entry, 'lattice_mat') === undefined ? objectField(entry, 'atoms', '') : entry
  takeAll(atoms, ['abc', 'angles'])
  const lattice = requireCell(asMatrix(takeWhole(atoms, 'lattice_mat'), 'lattice_mat'))
  const places = listField(atoms, 'coords', '').map((place, index) => asVector(place, `coords[${index}]`))
  const elements = listField(atoms, 'elements', '')
  requireFewAtoms(places.length, options)
  if (places.length !== elements.length) {
    const message = `${places.length} coords but ${elements.length} elements.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { path: 'elements' })
  }
  const names = new SpeciesNames('Use the symbol of an element, such as Si.')
  const fractions = takeWhole(atoms, 'cartesian') === true ? fractionsOf(places, lattice) : places
  const sites = elements.flatMap((name, index): readonly CrystalSite[] => {
    const path = `elements[${index}]`
    if (typeof name !== 'string') throw wrongField(path, name, 'the symbol of an element')
    const species = names.ofType(name, { path })
    return species === null ? [] : [{ ...species, fraction: fractions[index] as Vector3 }]
  })
  const title = textField(entry, 'name') ?? ''
  return requireAtoms({ title, lattice, periodic: PERIODIC, sites, warnings: names.warnings, rest: restOf(entry) })
}
