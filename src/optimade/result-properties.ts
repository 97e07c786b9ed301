import { scalarProperties } from '../calculations/property-data.ts'
import { scalarField } from './fields.ts'
import { PROVIDER_PREFIX, type Property, written } from './property.ts'

/** The field of a material that shows its best properties. */
const SHOWN = 'properties'

/** Units that OPTIMADE calls otherwise. */
const UNITS: Readonly<Record<string, string>> = { uB: 'bohr_magneton', 'eV/A^2': 'eV/angstrom^2' }

/** Results of computing or measuring structures: properties of known names that are one number, as materials show the best of them. An answer has those that `response_fields` names. */
export const RESULT_PROPERTIES: readonly (readonly [string, Property])[] = scalarProperties().map(
  ({ name, title, units }) => [`_${PROVIDER_PREFIX}_${name}`, resultProperty(name, title, units)],
)

function resultProperty(name: string, title: string, units: string | null): Property {
  const path = `${SHOWN}.${name}.value`
  return {
    description: `${title}: the best value that the material shows, as \`${path}\` in the API of records.`,
    type: 'float',
    ...(units === null ? {} : { unit: UNITS[units] ?? units }),
    isDefault: false,
    reads: [SHOWN],
    write: written((source) => {
      const value = source.field(path)
      return typeof value === 'number' ? value : null
    }),
    queryable: scalarField(path, 'float', 'perhaps'),
  }
}
