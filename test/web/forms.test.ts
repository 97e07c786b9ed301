import { describe, expect, it } from 'vitest'
import { METHOD_SCHEMA } from '../../src/records/kinds/method-schema.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { type FormField, type FormShape, formFields, ownNodes } from '../../web/forms/form-field.ts'
import {
  keyOf,
  listText,
  placed,
  readList,
  readNumber,
  restOf,
  valueIn,
  withRest,
  withValue,
} from '../../web/forms/values.ts'
import { withNamedData } from '../../web/pages/property/property-schema.ts'
import type { SchemaNode } from '../../web/schema/node.ts'

const ELSEWHERE = new Set(['_id', 'name'])

function shapeOf(schema: object, record: object = {}): FormShape {
  const kind = { name: 'thing', collection: 'things', computed: [], units: {}, schema: schema as SchemaNode }
  const own = Object.entries(ownNodes(kind, record as Record<string, unknown>)).filter(([name]) => !ELSEWHERE.has(name))
  return { kind, elsewhere: ELSEWHERE, inJson: new Set(['data']), own: Object.fromEntries(own), withRest: new Set() }
}

/** A form in short: the path of each field with its control. */
function shortOf(fields: readonly FormField[]): readonly unknown[] {
  return fields.map((field) => {
    const { control } = field
    const inner =
      control.kind === 'items' ? control.items.map(shortOf) : 'fields' in control ? [shortOf(control.fields)] : []
    return [keyOf(field) || '/', control.kind, ...inner]
  })
}

function formOf(properties: object, record: object = {}, more: object = {}): readonly unknown[] {
  const schema = { type: 'object', properties, ...more }
  return shortOf(formFields(shapeOf(schema, record), record as Record<string, unknown>)).slice(0, -1)
}

describe('a form', () => {
  it.each([
    ['a text', { type: 'string' }, 'text'],
    ['a number', { type: 'number' }, 'number'],
    ['a whole number', { type: ['integer', 'null'] }, 'number'],
    ['yes or no', { type: 'boolean' }, 'choice'],
    ['one of some', { enum: ['a', 1] }, 'choice'],
    ['one alone', { const: 'a' }, 'choice'],
    ['a day', { type: 'string', format: 'date' }, 'date'],
    ['texts', { type: 'array', items: { type: 'string' } }, 'scalars'],
    ['numbers', { type: 'array', items: { type: 'integer' } }, 'scalars'],
    ['what is not said', {}, 'json'],
    ['any object', { type: 'object' }, 'json'],
    ['lists in lists', { type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'json'],
    ['a text or a list', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'text'],
  ])('writes %s by its control', (_, node, control) => expect(formOf({ a: node })).toEqual([['/a', control]]))

  it.each([
    ['a number where a text should be', { type: 'string' }, 7, 'json'],
    ['an object where a list should be', { items: { properties: { b: {} } } }, {}, 'json'],
    ['texts with lines', { type: 'array', items: { type: 'string' } }, ['a\nb'], 'json'],
    ['more than anybody types', { items: { properties: { b: {} } } }, Array(101).fill({}), 'json'],
    ['a number that is being typed', { type: 'number' }, '1.5e', 'number'],
    ['the other of two forms', { anyOf: [{ type: 'string' }, { items: { type: 'string' } }] }, ['x'], 'scalars'],
    ['what is none of the forms', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { x: 1 }, 'json'],
  ])('loses nothing of %s', (_, node, a, control) => expect(formOf({ a: node }, { a })).toEqual([['/a', control]]))

  it('has the fields of objects, of entries of lists, and what is beside them', () => {
    const properties = {
      peaks: { items: { properties: { angle: { type: 'number' } } } },
      lamp: { properties: { anode: { type: 'string' } } },
    }
    const record = { peaks: [{ angle: 1 }, { angle: 2, hkl: [1, 0, 0] }], lamp: { anode: 'Cu', mA: 40 } }
    expect(formOf(properties, record)).toEqual([
      [
        '/peaks',
        'items',
        [['/peaks/0/angle', 'number']],
        [
          ['/peaks/1/angle', 'number'],
          ['/peaks/1/*', 'json'],
        ],
      ],
      [
        '/lamp',
        'group',
        [
          ['/lamp/anode', 'text'],
          ['/lamp/*', 'json'],
        ],
      ],
    ])
  })

  it('has one field for an object that only names a record', () => {
    const project = { title: 'Project', properties: { _id: { type: 'string', references: 'projects' } } }
    const [field] = formFields(shapeOf({ properties: { project } }), {})
    expect(field).toMatchObject({ path: ['project', '_id'], label: 'Project', control: { kind: 'text' } })
    expect(formOf({ project }, { project: { _id: 'x', slug: 'y' } })).toEqual([
      [
        '/project',
        'group',
        [
          ['/project/_id', 'text'],
          ['/project/*', 'json'],
        ],
      ],
    ])
  })

  it('has a field for each value that its owner has invented, and one for the rest', () => {
    const record = { _id: 'x', name: 'A', dose: 3, note: 'y', raw: [1], data: 'z' }
    const fields = formFields(shapeOf({ properties: { data: { type: 'string' } } }, record), record)
    expect(shortOf(fields)).toEqual([
      ['/dose', 'number'],
      ['/note', 'text'],
      ['/*', 'json'],
    ])
    const { control } = fields.at(-1) as FormField
    expect(restOf(record, control.kind === 'json' ? control.known : null)).toEqual({ raw: [1], data: 'z' })
  })

  it('asks which form an object has, and shows the fields of that one', () => {
    const source = {
      oneOf: [
        { properties: { kind: { const: 'tube' }, anode: { type: 'string' } } },
        { properties: { kind: { const: 'ring' }, energy: { type: 'number' } } },
      ],
    }
    expect(formOf({ source }, { source: { kind: 'ring' } })).toEqual([
      ['/source', 'variants', [['/source/energy', 'number']]],
    ])
    expect(formOf({ source })).toEqual([['/source', 'variants', []]])
  })

  it('of a schema that refers to itself ends', () => {
    const root = { properties: { part: { $ref: '#/definitions/part' } } }
    const part = { properties: { part: { $ref: '#/definitions/part' } } }
    expect(JSON.stringify(formOf(root.properties, {}, { definitions: { part } })).split('"/part').length).toBe(6)
  })

  it('of a method follows its type', () => {
    const form = (type: string) =>
      formOf(METHOD_SCHEMA['properties'] as object, { type }, { allOf: METHOD_SCHEMA['allOf'] })
    const shape = (type: string) => ({ ...shapeOf(METHOD_SCHEMA), inJson: new Set<string>(), type })
    const ofData = (type: string) => shortOf(formFields(shape(type), { type }).slice(3, 4))
    expect(form('pseudopotential').map((one) => (one as string[])[0])).toEqual(['/type', '/subtype', '/precision'])
    expect(ofData('pseudopotential')).toEqual([['/data', 'group', [['/data/pseudo', 'items']]]])
    expect(ofData('localorbital')).toEqual([['/data', 'group', [['/data/basis', 'text']]]])
    expect(ofData('mine')).toEqual([['/data', 'json']])
  })
})

describe('a value of a form', () => {
  it.each([
    [{ a: 1 }, ['b', 'c'], 2, { a: 1, b: { c: 2 } }],
    [{ a: { b: 1, c: 2 } }, ['a', 'b'], undefined, { a: { c: 2 } }],
    [{ a: { b: { c: 1 } }, d: 0 }, ['a', 'b', 'c'], undefined, { d: 0 }],
    [{ a: [{ b: 1 }, { b: 2 }] }, ['a', 1, 'b'], 3, { a: [{ b: 1 }, { b: 3 }] }],
    [{ a: [{ b: 1 }] }, ['a', 0, 'b'], undefined, { a: [{}] }],
    [{ a: 1 }, ['a'], undefined, {}],
  ])('of %j at %j becomes %j', (record, path, value, after) => {
    expect(withValue(record, path, value)).toEqual(after)
    if (value !== undefined) expect(valueIn(after, path)).toBe(value)
  })

  it('keeps its place among the others', () => {
    expect(Object.keys(withValue({ a: 1, b: 2 }, ['a'], 3))).toEqual(['a', 'b'])
  })

  it('beside known ones is written without them', () => {
    expect(withRest({ a: 1, b: 2 }, ['a'], { c: 3 })).toEqual({ a: 1, c: 3 })
    expect(withRest({ a: 1 }, ['a'], { a: 9 })).toEqual({ a: 1 })
    expect(withRest([1], null, [2])).toEqual([2])
  })

  it.each([
    ['', undefined],
    ['1.50', 1.5],
    ['−2', -2],
    ['1e3', 1000],
    ['3 eV', '3 eV'],
    ['Infinity', 'Infinity'],
  ])('that is typed as %j is %j', (typed, value) => expect(readNumber(typed)).toBe(value))

  it('that is a list is typed with commas, or one a line', () => {
    expect(readList('1, 2; x', 'number')).toEqual([1, 2, 'x'])
    expect(readList('a b\n\nc', 'string')).toEqual(['a b', 'c'])
    expect(readList(' \n', 'string')).toBeUndefined()
    expect([listText([1, 2], 'number'), listText(['a', 'b'], 'string')]).toEqual(['1, 2', 'a\nb'])
  })
})

describe('what the server has against a record', () => {
  const properties = {
    wavelength: { type: 'number' },
    lamp: { properties: { anode: { type: 'string' } } },
    peaks: { items: { properties: { angle: { type: 'number' } } } },
  }
  const record = { peaks: [{ angle: 1 }], lamp: { mA: 1 } }
  const fields = formFields(shapeOf({ properties }, record), record)

  it.each([
    ['/wavelength', '/wavelength'],
    ['/lamp', '/lamp'],
    ['/lamp/anode', '/lamp/anode'],
    ['/lamp/mA', '/lamp/*'],
    ['/peaks/0/angle', '/peaks/0/angle'],
    ['/peaks/0', '/peaks'],
    ['/raw/deep/1', '/*'],
    ['', '/*'],
  ])('at %j is said at the field %s', (pointer, key) => {
    const violation = { pointer, expected: 'a number', given: '"x"' }
    expect([...placed(fields, [violation])]).toEqual([[key, [violation]]])
  })
})

describe('the form of a property', () => {
  const schema = withNamedData(propertyKind.schema as SchemaNode)
  const dataOf = (data: Readonly<Record<string, unknown>>) => {
    const shape = { ...shapeOf(schema), inJson: new Set<string>() }
    const [group] = formFields(shape, { data }).filter(({ path }) => path[0] === 'data')
    return group?.control.kind === 'group' ? group.control.fields : []
  }
  const short = (data: Readonly<Record<string, unknown>>) =>
    dataOf(data).map(({ path, control: { kind } }) => `${path.join('.')} ${kind}`)

  it('proposes the names that everybody knows, and has a value and its unit for any other', () => {
    const [name] = dataOf({})
    expect(name?.control).toMatchObject({ kind: 'text', suggested: expect.arrayContaining(['band_gap', 'pressure']) })
    for (const data of [{}, { name: 'my_gap' }])
      expect(short(data)).toEqual(['data.name text', 'data.value json', 'data.units text'])
  })

  it('has what the name asks for, with the unit that it is stored in', () => {
    expect(short({ name: 'pressure' })).toEqual(['data.name text', 'data.value number', 'data.units text'])
    expect(dataOf({ name: 'pressure' })[2]).toMatchObject({
      hint: 'kbar, or one that can be converted to it',
      control: { suggested: ['kbar'] },
    })
    expect(short({ name: 'band_gaps' })).toEqual(['data.name text', 'data.values json'])
    expect(short({ name: 'phonon_dos' }).slice(1, 3)).toEqual(['data.xAxis json', 'data.yAxis json'])
  })

  it('loses nothing of what a record has beside', () => {
    const fields = dataOf({ name: 'pressure', value: 1, units: 'kbar', given: { value: 0.1, units: 'GPa' } })
    expect(fields.at(-1)).toMatchObject({ label: 'Other fields', control: { known: ['name', 'value', 'units'] } })
  })
})
