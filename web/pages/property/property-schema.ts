import { type NamedProperty, PROPERTY_NAMES, type PropertyForm } from '../../../src/page/property-names.ts'
import { unitText } from '../../../src/page/property-words.ts'
import type { SchemaNode } from '../../schema/node.ts'

/** Fields of the data of a property by its form; all but a number are written as JSON. */
const FIELDS: Readonly<Record<PropertyForm, Readonly<Record<string, SchemaNode>>>> = {
  scalar: { value: { title: 'Value', type: 'number' } },
  tensor: { value: { title: 'Value', description: 'rows of numbers' } },
  sites: { values: { title: 'Values', description: 'of each site, as `{ id, value }`; the first site is 0' } },
  contributions: {},
  curves: {
    xAxis: { title: 'x axis', description: '`label` and `units`' },
    yAxis: { title: 'y axis', description: '`label` and `units`' },
    xDataArray: { title: 'x', description: 'numbers, or points' },
    yDataSeries: { title: 'y', description: 'a list of numbers for each curve' },
    legend: { title: 'Legend', description: 'what each curve is' },
  },
  gaps: { values: { title: 'Values', description: 'of each gap, such as `{ type, value, units }`' } },
  steps: { data: { title: 'Steps' } },
  spectrum: { values: { title: 'Values', description: '`{ part, frequencies, components }`' } },
}

/** The schema of properties with what the name of one asks for: a form has a field for its value, and says its unit. */
export function withNamedData(schema: SchemaNode): SchemaNode {
  const { data } = schema.properties ?? {}
  if (typeof data !== 'object') return schema
  // What was sent in another unit is the server's to write.
  const { name, units, given: _given, ...others } = data.properties ?? {}
  const names = Object.keys(PROPERTY_NAMES)
  const isNamed = (...some: readonly string[]) => ({ required: ['name'], properties: { name: { enum: some } } })
  const byName = Object.entries<NamedProperty>(PROPERTY_NAMES).map(([one, named]) => ({
    if: isNamed(one),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { ...FIELDS[named.form], ...unitsField(units, named) } },
  }))
  const own = { if: isNamed(...names), else: { properties: { value: { title: 'Value' }, ...unitsField(units) } } }
  const known = { ...nodeOf(name), examples: names }
  const node = { ...data, properties: { name: known, ...others }, allOf: [...(data.allOf ?? []), ...byName, own] }
  return { ...schema, properties: { ...schema.properties, data: node } }
}

/** Nothing for what has a unit for each of its axes. */
function unitsField(
  given: SchemaNode | boolean | undefined,
  named?: NamedProperty,
): Readonly<Record<string, SchemaNode>> {
  if (named === undefined) return { units: nodeOf(given) }
  if (named.units === null) return {}
  const description = `${unitText(named.units)}, or one that can be converted to it`
  return { units: { ...nodeOf(given), examples: [named.units], description } }
}

function nodeOf(given: SchemaNode | boolean | undefined): SchemaNode {
  return typeof given === 'object' ? given : {}
}
