/** A field that its owner invented. */
export interface OwnField {
  readonly path: string
  readonly value: number | string | boolean
  readonly units: string
}

/** Fields that every material has or may have; those of the server's and of the crystal are shown in other places. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  (
    '_id slug owner creator createdAt updatedAt schemaVersion isDefault inSet isEntitySet entitySetType entityCls nextIndex exabyteId ' +
    'systemName isCurated source metadata madeFrom files icsdId external src isPublic name description tags basis lattice isNonPeriodic ' +
    'periodicDirections derivedProperties formula unitCellFormula hash scaledHash magneticHash elements nElements elementClasses ' +
    'oxidationStates nSites structureFeatures composition isDisordered disorderKinds chemicalSystem anonymousFormula formulaReduced ' +
    'formulaHill formulaAnonymous volume density volumePerAtom fingerprint prototype spaceGroup symmetry consistencyChecks properties'
  ).split(' '),
)

/** Longer texts are read in the JSON. */
const LONGEST_TEXT = 80

/** Numbers, truth values and short texts of a record under names that nobody knows; `{value, units}` counts as a number. */
export function ownFields(record: Readonly<Record<string, unknown>>): readonly OwnField[] {
  return Object.entries(record).flatMap(([path, value]) => {
    if (KNOWN_FIELDS.has(path)) return []
    const [scalar, units] = quantityOf(value)
    return isShown(scalar) ? [{ path, value: scalar, units }] : []
  })
}

function quantityOf(value: unknown): readonly [value: unknown, units: string] {
  if (typeof value !== 'object' || value === null || !('value' in value)) return [value, '']
  const units = 'units' in value ? value.units : 'unit' in value ? value.unit : ''
  return [value.value, typeof units === 'string' ? units : '']
}

function isShown(value: unknown): value is OwnField['value'] {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST_TEXT
  return typeof value === 'number' || typeof value === 'boolean'
}
