import { isJsonObject, type JsonObject, ownField } from '../../../kernel/json.ts'
import { checkConsistency } from '../../../structure/chemistry/consistency-checks.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { entriesOf, partialSites, unknownInBasis } from '../../../structure/formats/json/material-extras.ts'
import type { LatticeType } from '../../../structure/lattice.ts'
import { latticeTypeOfVectors } from '../../../structure/symmetry/lattice-type.ts'
import { type Implausibility, implausibilitiesOf } from './plausibility.ts'
import type { SymmetryFields } from './symmetry-fields.ts'

/** Key of findings about the file that a material came from. */
export const SOURCE_KEY = 'src.text'

/** Findings about a material that is stored all the same, for its `consistencyChecks`. */
export function findingsOf(
  document: JsonObject,
  crystal: Crystal,
  type: LatticeType,
  symmetry: SymmetryFields,
): readonly JsonObject[] {
  const distances = checkConsistency(crystal)
  return [
    // First: of many atoms that are too close, the unit is the reason, and an answer has room for some warnings only.
    ...implausibilitiesOf(document, crystal, distances.length > 0).map(asFinding),
    ...distances.map((check) => ({ ...check })),
    ...checkType(crystal, type, symmetry),
    ...symmetry.findings,
    ...unknownToComputed(document),
    ...keptSourceFindings(document),
  ]
}

/** The code is that of the warning beside the answer to the write. */
function asFinding({ path, severity, message, code, hint }: Implausibility): JsonObject {
  return { key: path, name: 'default', severity, message, code, ...(hint === undefined ? {} : { hint }) }
}

/** Assumptions in reading a file, as findings that stay with the record. */
export function sourceFindings(warnings: readonly StructureWarning[]): readonly JsonObject[] {
  return warnings.map(({ message, line, severity = 'warning' }) => {
    const where = line === undefined ? '' : `Line ${line}: `
    return { key: SOURCE_KEY, name: 'default', severity, message: `${where}${message}` }
  })
}

/** Fields that stay in the record, and that nothing computed and no exported file knows. */
function unknownToComputed(document: JsonObject): readonly JsonObject[] {
  const basis = ownField(document, 'basis')
  if (!isJsonObject(basis)) return []
  // Older versions took such records; what was computed of them then is that of whole atoms.
  const partial = partialSites(basis).map(({ path }) => ({
    key: path,
    name: 'default',
    severity: 'error',
    message:
      'The share of an atom is under a name that is not read, and computed fields count it as one whole atom: it belongs to occurrence.',
  }))
  const unknown = unknownInBasis(basis).map(({ quantity, names, consequence }) => ({
    key: names[0] ?? 'basis',
    name: 'default',
    // Only `oxidationStates` follows from them, and most programs write them.
    severity: quantity === 'Oxidation states' ? 'info' : 'warning',
    message: `${quantity} (${names.join(', ')}) stay in the record, but computed fields and exported files do not know them: ${consequence}.`,
  }))
  return [...partial, ...unknown]
}

/** The file does not change after the import, so what was found then holds for as long as the file stays with the record. */
function keptSourceFindings(document: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(ownField(document, 'src'))) return []
  return entriesOf(document, 'consistencyChecks').filter((finding) => ownField(finding, 'key') === SOURCE_KEY)
}

/** A client may state less symmetry of a cell than it has, not more. What misses by less than the tolerance has the crystal's type. */
function checkType(
  { lattice, periodic }: Crystal,
  type: LatticeType,
  { spaceGroup }: SymmetryFields,
): readonly JsonObject[] {
  if (periodic.includes(false)) return []
  const system = spaceGroup === null ? undefined : ownField(spaceGroup, 'crystalSystem')
  if (LATTICES_OF_CRYSTALS[String(system)]?.includes(SYSTEMS[type])) return []
  const found = latticeTypeOfVectors(lattice)
  if (type === found || CONTAINS[SYSTEMS[found]].includes(SYSTEMS[type])) return []
  const message = `The lattice type ${type} needs more symmetry than the lattice vectors have: they are ${found}.`
  return [{ key: 'lattice.type', name: 'default', severity: 'warning', message }]
}

type LatticeSystem = 'cubic' | 'hexagonal' | 'rhombohedral' | 'tetragonal' | 'orthorhombic' | 'monoclinic' | 'triclinic'

const LATTICES_OF_CRYSTALS: Readonly<Record<string, readonly LatticeSystem[]>> = {
  cubic: ['cubic'],
  hexagonal: ['hexagonal'],
  trigonal: ['hexagonal', 'rhombohedral'],
  tetragonal: ['tetragonal'],
  orthorhombic: ['orthorhombic'],
  monoclinic: ['monoclinic'],
  triclinic: ['triclinic'],
}

const SYSTEMS: Readonly<Record<LatticeType, LatticeSystem>> = {
  CUB: 'cubic',
  BCC: 'cubic',
  FCC: 'cubic',
  TET: 'tetragonal',
  BCT: 'tetragonal',
  ORC: 'orthorhombic',
  ORCC: 'orthorhombic',
  ORCF: 'orthorhombic',
  ORCI: 'orthorhombic',
  HEX: 'hexagonal',
  RHL: 'rhombohedral',
  MCL: 'monoclinic',
  MCLC: 'monoclinic',
  TRI: 'triclinic',
}

/** The lattice systems whose rotations are among those of each. */
const CONTAINS: Readonly<Record<LatticeSystem, readonly LatticeSystem[]>> = {
  cubic: ['cubic', 'tetragonal', 'rhombohedral', 'orthorhombic', 'monoclinic', 'triclinic'],
  // Three rhombohedral cells make a hexagonal one, in which crystals of a rhombohedral lattice are mostly given.
  hexagonal: ['hexagonal', 'rhombohedral', 'orthorhombic', 'monoclinic', 'triclinic'],
  rhombohedral: ['rhombohedral', 'monoclinic', 'triclinic'],
  tetragonal: ['tetragonal', 'orthorhombic', 'monoclinic', 'triclinic'],
  orthorhombic: ['orthorhombic', 'monoclinic', 'triclinic'],
  monoclinic: ['monoclinic', 'triclinic'],
  triclinic: ['triclinic'],
}
