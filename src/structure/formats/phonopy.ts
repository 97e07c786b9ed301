import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import { requireCell } from '../cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { mapMatrix, type Vector3 } from '../linear-algebra.ts'
import { labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { angstromPer } from './common/length-units.ts'
import { withSpeciesTags } from './common/species-labels.ts'
import { SpeciesNames } from './common/species-names.ts'
import { requireAtoms, requireFewAtoms } from './common/text.ts'
import {
  asMatrix,
  asNumber,
  asVector,
  listField,
  objectField,
  restOf,
  takeAll,
  takeWhole,
  textField,
  wrongField,
} from './json/json-fields.ts'
import { readYaml, sectionsOfYaml, type YamlSection } from './yaml-sections.ts'

/** Cells of a file, the one that is taken first. */
const CELLS = ['unit_cell', 'primitive_cell', 'supercell'] as const
const CELL = /^(?:unit_cell|primitive_cell|supercell):[ \t]*(?:#.*)?$/m

/** The files of phonopy and phono3py that hold cells: phonopy.yaml, phonopy_disp.yaml, phono3py_params.yaml. */
export const phonopyFormat: StructureFormat = {
  name: 'phonopy',
  title: 'phonopy YAML',
  extensions: [],
  fileNames: /^phono(?:py|3py).*\.ya?ml$/i,
  recognizes: (text) => CELL.test(text) && /^[ \t]+points:/m.test(text),
  parse: parsePhonopy,
}

/** Lines of a section that is read beside the cell: longer ones are lists of displacements or forces. */
const MOST_BESIDE = 200
function parsePhonopy(text: string, options: ReadOptions): Crystal {
  const sections = sectionsOfYaml(text)
  const name = CELLS.find((one) => sections.has(one))
  const section = name === undefined ? undefined : sections.get(name)
  if (name === undefined || section === undefined) {
    throw refusal(FORMAT_ERRORS.noStructure, `The file has none of the sections ${CELLS.join(', ')}.`)
  }
  const { document, leftOut } = documentOf(sections, section)
  const warnings: StructureWarning[] = []
  const unit = unitOf(document, warnings)
  const cell = objectField(document, name, '')
  takeAll(cell, ['reciprocal_lattice'])
  const lattice = requireCell(
    mapMatrix(asMatrix(takeWhole(cell, 'lattice'), `${name}.lattice`), (x) => x * unit),
    {
      line: section.line,
    },
  )
  const names = new SpeciesNames('symbol of a point is that of an element, such as Si.')
  const points = listField(cell, 'points', `${name}.`)
  requireFewAtoms(points.length, options, { line: section.line })
  const sites = points.flatMap((point, index): readonly CrystalSite[] => {
    const site = siteOf(point, `${name}.points[${index}]`, names)
    return site === null ? [] : [site]
  })
  if (name !== 'unit_cell') {
    warnings.push({ code: 'other-cell', message: `The file has no unit_cell: ${name} is taken.`, line: section.line })
  }
  const rest = restOf(document)
  return requireAtoms({
    title: '',
    lattice,
    periodic: PERIODIC,
    sites: withSpeciesTags(sites, 'species', warnings),
    warnings: [...warnings, ...names.warnings],
    rest: { values: rest.values, leftOut: [...leftOut, ...rest.leftOut] },
  })
}

/** The section of the cell with the short ones, as one document; the others by name, with the number of their lines. */
function documentOf(
  sections: ReadonlyMap<string, YamlSection>,
  cell: YamlSection,
): { readonly document: JsonObject; readonly leftOut: readonly string[] } {
  const document: Record<string, Json> = {}
  const leftOut: string[] = []
  for (const [name, section] of sections) {
    const value = section === cell ? readYaml(section) : besideOf(name, section)
    if (value === undefined) leftOut.push(`${name} (${section.lines.filter((row) => /\S/.test(row)).length} lines)`)
    else setOwnField(document, name, isJsonObject(value) ? (ownField(value, name) ?? null) : null)
  }
  return { document, leftOut }
}

/** A section beside the cell; nothing of other cells, of long ones, and of those that are no plain YAML. */
function besideOf(name: string, section: YamlSection): Json | undefined {
  if (section.lines.length > MOST_BESIDE || /cell$/.test(name)) return undefined
  try {
    return readYaml(section)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Å in the unit of length that the file names. */
function unitOf(document: JsonObject, warnings: StructureWarning[]): number {
  const units = ownField(document, 'physical_unit')
  const unit = isJsonObject(units) ? textField(objectField(document, 'physical_unit', ''), 'length') : undefined
  if (unit === undefined) {
    const message = 'The file names no unit of length (physical_unit.length): ångström is assumed.'
    warnings.push({ code: 'unit-assumed', message })
    return 1
  }
  const hint = 'physical_unit.length is angstrom or au.'
  return angstromPer(unit, ['angstrom', 'au', 'bohr'], { path: 'physical_unit.length', hint })
}

function siteOf(point: Json, path: string, names: SpeciesNames): CrystalSite | null {
  if (!isJsonObject(point)) throw wrongField(path, point, 'an object')
  const symbol = takeWhole(point, 'symbol')
  if (typeof symbol !== 'string') throw wrongField(`${path}.symbol`, symbol, 'the symbol of an element')
  const species = names.withMass(names.ofType(symbol, { path: `${path}.symbol` }), takeWhole(point, 'mass'))
  const fraction = asVector(takeWhole(point, 'coordinates'), `${path}.coordinates`)
  // Which atom of the primitive cell it is follows from the structure.
  takeAll(point, ['reduced_to'])
  const moment = momentOf(takeWhole(point, 'magnetic_moment'), `${path}.magnetic_moment`)
  if (species === null) return null
  return {
    ...species,
    ...labelled(symbol, species).details,
    fraction,
    ...(moment.some((x) => x !== 0) ? { moment } : {}),
  }
}

/** A number is along z. */
function momentOf(value: Json | undefined, path: string): Vector3 {
  if (value === undefined || value === null) return [0, 0, 0]
  return isJsonArray(value) ? asVector(value, path) : [0, 0, asNumber(value, path)]
}
