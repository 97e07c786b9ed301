import { describe, expect, it } from 'vitest'
import type { OutputFormat } from '../../src/calculations/calculation.ts'
import { entriesFormat } from '../../src/calculations/readers/entries.ts'
import { jarvisFormat } from '../../src/calculations/readers/jarvis.ts'
import { materialsProjectFormat } from '../../src/calculations/readers/materials-project.ts'
import { optimadeResultsFormat } from '../../src/calculations/readers/optimade.ts'
import { recordKeys } from '../../src/calculations/readers/records/record-keys.ts'

describe('names of fields in the beginning of a document', () => {
  const own = (head: string) => [...recordKeys(head).own]

  it('are those of the document, or of the elements of its list', () => {
    expect(own('{"a": 1, "b": {"c": 2}, "d": [{"e": 3, "f": {"g": 1}}]}')).toEqual(['a', 'b', 'd', 'e', 'f'])
    expect(own('\uFEFF\n[{"a": "x:y", "b\\"": [{"c": 1}]}, {"d')).toEqual(['a', 'b\\"'])
    expect([...recordKeys('{"a": {"b": 1, "c": {"d": 1}}}').named]).toEqual(['b', 'c'])
  })

  it('are none of what is no document', () => {
    expect(own('text {"a": 1}')).toEqual([])
    expect(own('"a": 1')).toEqual([])
    expect(own(']]}}{"a"')).toEqual([])
  })
})

describe('a format', () => {
  const entry = { '@class': 'ComputedEntry', energy: 1, composition: { Fe: 1 }, data: { material_id: 'mp-1' } }
  const thermo = { material_id: 'mp-1', thermo_type: 'R2SCAN', entries: { R2SCAN: entry } }
  const jarvis = { jid: 'JVASP-1', atoms: { lattice_mat: [] } }
  const optimade = { data: [{ type: 'structures', attributes: { _jarvis_jid: 'JVASP-1' } }] }

  it.each<[string, OutputFormat, unknown]>([
    ['entries', entriesFormat, entry],
    ['entries', entriesFormat, [entry]],
    ['entries', entriesFormat, { one: entry }],
    ['documents with entries in them', materialsProjectFormat, thermo],
    ['documents with entries in them', materialsProjectFormat, { data: [thermo] }],
    ['records of JARVIS', jarvisFormat, [jarvis]],
    ['structures of OPTIMADE', optimadeResultsFormat, optimade],
  ])('is told by the only one that reads it: %s', (_, format, document) => {
    const all = [entriesFormat, materialsProjectFormat, jarvisFormat, optimadeResultsFormat]
    const text = JSON.stringify(document)
    expect(all.filter(({ recognizes }) => recognizes(text)).map(({ name }) => name)).toEqual([format.name])
  })
})
