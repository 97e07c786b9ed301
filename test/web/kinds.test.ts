import { describe, expect, it } from 'vitest'
import { METHOD_SCHEMA } from '../../src/records/kinds/method-schema.ts'
import { jobKind, workflowKind } from '../../src/records/kinds/plain-kinds.ts'
import { collectionOf } from '../../web/schema/collection-of-kind.ts'
import { type Kind, manyOf, oneOf } from '../../web/schema/kind.ts'
import { labelOf, resolved, type SchemaNode, typeOf } from '../../web/schema/node.ts'
import { shownFields } from '../../web/schema/shown-fields.ts'

function kindOf(name: string, collection: string, schema: object): Kind {
  return { name, collection, computed: [], units: {}, schema: schema as SchemaNode }
}

const METHODS = kindOf('method', 'methods', METHOD_SCHEMA)
const JOBS = kindOf('job', 'jobs', jobKind.schema)
const PATTERNS = kindOf('xrd-pattern', 'xrd-patterns', {
  title: 'XRD pattern',
  type: 'object',
  required: ['wavelength'],
  properties: {
    isPowder: { type: 'boolean' },
    sample: { type: 'string', references: 'materials', title: 'Sample' },
    radiation: { enum: ['Cu', 'Mo'] },
    wavelength: { $ref: '#/definitions/length' },
    peaks: {
      type: 'array',
      items: { properties: { angle: { type: 'number', unit: '°', title: '2θ' }, intensity: { type: 'number' } } },
    },
  },
  definitions: { length: { type: 'number', unit: 'Å' } },
})

describe('a kind of record', () => {
  it('is called by its title where that is its name, as people write it', () => {
    expect([oneOf(PATTERNS), manyOf(PATTERNS)]).toEqual(['XRD pattern', 'XRD patterns'])
    expect([oneOf(METHODS), manyOf(METHODS)]).toEqual(['method', 'Methods'])
    expect(manyOf(kindOf('query', 'queries', { title: 'saved query' }))).toBe('Queries')
  })

  it('has a list with what is one value, that of all records first', () => {
    const { columns, facets, words } = collectionOf(PATTERNS)
    expect(columns).toEqual([
      { path: 'name', title: 'Name' },
      { path: 'wavelength', title: 'Wavelength', unit: 'Å' },
      { path: 'isPowder', title: 'Is powder' },
      { path: 'sample', title: 'Sample', isMinor: true },
      { path: 'radiation', title: 'Radiation', isMinor: true },
      { path: 'tags', title: 'Tags', isMinor: true },
      { path: 'updatedAt', title: 'Updated', isMinor: true },
    ])
    expect(facets[0]).toEqual({ path: 'wavelength', title: 'Wavelength', unit: 'Å', scale: 'linear' })
    expect(facets.map(({ path }) => path)).toEqual(['wavelength', 'isPowder', 'radiation', 'tags'])
    expect(facets[1]?.wordsOf?.('true')).toBe('yes')
    expect(words).toEqual(['sample', 'radiation'])
  })

  it('without such values has what all records have', () => {
    const { columns } = collectionOf(kindOf('workflow', 'workflows', workflowKind.schema))
    expect(columns.map(({ path }) => path)).toEqual(['name', 'hash', 'tags', 'updatedAt'])
  })
})

describe('a node of a schema', () => {
  const typed = (type: string, field: string) => {
    const { properties = {} } = resolved(METHODS.schema, METHODS.schema, { type })
    return properties[field] as SchemaNode
  }
  it('says what holds for the value', () => {
    expect(typed('localorbital', 'subtype').examples).toEqual(['pople', 'dunning', 'karlsruhe'])
    expect(typed('pseudopotential', 'data').properties).toMatchObject({ pseudo: { title: 'Pseudopotentials' } })
    expect(typed('a type of mine', 'data').properties).toBeUndefined()
  })

  it('follows references, also those that lead back to themselves', () => {
    const root = { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } }
    expect(typeOf(resolved({ $ref: '#/definitions/a' }, root, {}))).toBe('any')
    expect(resolved({ $ref: '#/definitions/none', title: 'x' }, root, {})).toEqual({ title: 'x' })
  })

  it.each([
    [{ type: ['null', 'object'] }, 'object'],
    [{ items: {} }, 'array'],
    [{ enum: [1, 2] }, 'number'],
    [{ unit: 'eV' }, 'number'],
    [{ examples: ['paw'] }, 'string'],
    [{ references: 'jobs' }, 'string'],
    [{}, 'any'],
  ])('%j is of the type %s', (node, type) => expect(typeOf(node)).toBe(type))

  it.each([
    ['_materials', {}, 'Materials'],
    ['exchangeCorrelation', {}, 'Exchange correlation'],
    ['x', { title: 'Of people' }, 'Of people'],
  ])('at %s is called by its title or its name', (name, node, label) => expect(labelOf(name, node)).toBe(label))
})

describe('the fields of a record', () => {
  it('are in the order of the schema, with what nobody knows behind them', () => {
    const record = {
      _id: 'x',
      name: 'Si',
      tags: ['a'],
      operator: { cls: 'Account', _id: 'y' },
      dose: { value: 3, units: 'Gy' },
      counts: [1, 2, 3],
      peaks: [{ angle: 28.4, intensity: 100, hkl: [1, 1, 1] }],
      wavelength: 1.54,
      isPowder: true,
      sample: 'aMaterial',
    }
    expect(shownFields(PATTERNS, record)).toEqual([
      { path: 'isPowder', label: 'Is powder', content: { kind: 'text', text: 'yes' } },
      {
        path: 'sample',
        label: 'Sample',
        content: { kind: 'links', to: [{ collection: 'materials', id: 'aMaterial' }] },
      },
      { path: 'wavelength', label: 'Wavelength', content: { kind: 'text', text: '1.54', unit: 'Å' } },
      {
        path: 'peaks',
        label: 'Peaks',
        content: {
          kind: 'table',
          columns: [{ title: '2θ', unit: '°' }, { title: 'Intensity' }, { title: 'Hkl' }],
          rows: [['28.4', '100', '1, 1, 1']],
        },
      },
      { path: 'operator.cls', label: 'Operator, Cls', content: { kind: 'text', text: 'Account' } },
      { path: 'operator._id', label: 'Operator, Id', content: { kind: 'text', text: 'y' } },
      { path: 'dose', label: 'Dose', content: { kind: 'text', text: '3', unit: 'Gy' } },
      { path: 'counts', label: 'Counts', content: { kind: 'text', text: '1, 2, 3' } },
    ])
  })

  it('stay together as one tree where several of them had to be trees, if no schema tells of them', () => {
    const source = { crystal: { rec: [[[1]]], basis: [[[2]]] }, atoms: { types: [[[3]]] }, seconds: 4 }
    expect(shownFields(PATTERNS, { source })).toEqual([
      { path: 'source', label: 'Source', content: { kind: 'json', value: source } },
    ])
    const { seconds, atoms } = source
    expect(shownFields(PATTERNS, { source: { seconds, atoms } }).map(({ path }) => path)).toEqual([
      'source.seconds',
      'source.atoms.types',
    ])
  })

  it('name other records by the schema, or by what they say themselves', () => {
    const record = {
      _materials: [{ _id: 'a' }, { _id: 'b' }],
      _project: { _id: 'p', slug: 'x' },
      parent: { _id: 'w', cls: 'Workflow' },
      workflow: { units: [{ deep: { deeper: {} } }] },
    }
    const contents = shownFields(JOBS, record, new Set(['status'])).map(({ path, content }) => [path, content])
    expect(contents).toEqual([
      ['workflow.units', { kind: 'json', value: record.workflow.units }],
      ['_project', { kind: 'links', to: [{ collection: 'projects', id: 'p' }] }],
      ['_materials', { kind: 'links', to: ['a', 'b'].map((id) => ({ collection: 'materials', id })) }],
      ['parent', { kind: 'links', to: [{ collection: 'workflows', id: 'w' }] }],
    ])
  })
})
