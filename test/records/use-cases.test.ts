import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { isId } from '../../src/kernel/names.ts'
import { METHOD_SCHEMA } from '../../src/records/kinds/method-schema.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { getHistory } from '../../src/records/use-cases/history.ts'
import { countRecords, exportRecords, getRecord, listRecords } from '../../src/records/use-cases/read-records.ts'
import { deleteRecord } from '../../src/records/use-cases/removed.ts'
import { updateRecord } from '../../src/records/use-cases/update-record.ts'
import { documentOf, openRecordRoom, type RecordRoom, request, silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
})
afterAll(() => room.close())

const make = (changes: Record<string, Json | undefined> = {}, session = room.ada) =>
  createRecord(room.materials(session), silicon(changes))

describe('a new material', () => {
  test('is stored with the fields that the server owns, _id first', async () => {
    const record = await make()
    const document = documentOf(record)
    expect(isId(record.id)).toBe(true)
    expect(Object.keys(document)[0]).toBe('_id')
    expect(document).toMatchObject({
      _id: record.id,
      name: 'Silicon FCC',
      slug: 'silicon-fcc',
      formula: 'Si',
      hash: 'a665723ef7429caef6ca89385fe25bae',
      owner: { _id: 'Account-of-ada', slug: 'ada', cls: 'Account' },
      creator: { _id: 'User-ada', slug: 'ada', cls: 'User' },
      createdAt: '2024-05-06T07:08:09.010Z',
      updatedAt: '2024-05-06T07:08:09.010Z',
      schemaVersion: '2022.8.16',
      isDefault: false,
      isPublic: false,
      tags: [],
    })
    expect(record).toMatchObject(await getRecord(room.materials(room.ada), record.id))
  })

  test('that a client copied from another has its own server fields', async () => {
    const original = documentOf(await make({ tags: ['x'], custom: { a: 1 } }))
    room.wait(1000)
    const sent = {
      ...original,
      hash: 'mine',
      formula: 'Au',
      isDefault: true,
      createdAt: 'yesterday',
      creator: 1,
      slug: 2,
    }
    const copy = documentOf(await createRecord(room.materials(room.ada), sent))
    expect(copy._id).not.toBe(original._id)
    expect(copy).toMatchObject({ hash: original.hash, formula: 'Si', isDefault: false, custom: { a: 1 }, tags: ['x'] })
    expect(copy.createdAt).toBe('2024-05-06T07:08:10.010Z')
  })

  test('is named after its formula when the client does not name it', async () => {
    expect(documentOf(await make({ name: undefined }))).toMatchObject({ name: 'Si', slug: 'si' })
  })

  test('may belong to another account of the user, and to no other', async () => {
    const record = await make({ owner: { _id: room.lab.id } })
    expect(record.accountId).toBe(room.lab.id)
    expect(documentOf(record).owner).toEqual({ _id: room.lab.id, slug: 'lab', cls: 'Account' })
    const refusal = await refusalOf(() => make({ owner: { _id: room.bob.account.id } }))
    expect(refusal.code).toBe(40302)
    expect(refusal.data.path).toBe('/owner/_id')
    expect((await make({ owner: { _id: null } })).accountId).toBe(room.ada.account.id)
  })

  test('is refused when it is not valid, when too long as text, and to a token that may only read', async () => {
    expect((await refusalOf(() => make({ basis: undefined }))).code).toBe(42201)
    const deps = room.depsWith({ symmetry: null, limits: { bytes: 1000, depth: 64, leaves: 1000 } })
    const tooLong = await refusalOf(() =>
      createRecord(room.materials(room.ada, deps), silicon({ description: 'x'.repeat(1000) })),
    )
    expect(tooLong.message).toContain('at most 1000 can be stored')
    expect((await refusalOf(() => make({}, room.reader))).code).toBe(40301)
  })

  test('may hold keys that mean something to JavaScript', async () => {
    const sent = JSON.parse(JSON.stringify(silicon()).replace('{', '{"__proto__":{"polluted":1},"constructor":2,'))
    const { text } = await createRecord(room.materials(room.ada), sent)
    expect(text).toContain('"__proto__":{"polluted":1}')
    expect(({} as JsonObject).polluted).toBeUndefined()
  })
})

describe('a method', () => {
  const paw = { type: 'pseudopotential', subtype: 'paw', data: { pseudo: [] }, hash: 'client-hash' }

  test('keeps its hash and is named after type and subtype', async () => {
    const record = await createRecord(room.methods(room.ada), paw)
    expect(documentOf(record)).toMatchObject({
      ...paw,
      name: 'pseudopotential/paw',
      slug: 'pseudopotential-paw',
      tags: [],
    })
  })

  test('follows the published schema and nothing else', async () => {
    expect(METHOD_SCHEMA).toMatchObject({ $id: 'method', title: 'base method', required: ['type', 'subtype'] })
    const wrong = { type: 'pseudopotential', precision: [], data: 'none', units: [] }
    const refusal = await refusalOf(() => createRecord(room.methods(room.ada), wrong))
    expect(refusal.data.violations).toEqual([
      { pointer: '/subtype', expected: 'a string, since this field is required', given: 'nothing' },
      { pointer: '/precision', expected: 'an object', given: 'an array of 0' },
      { pointer: '/data', expected: 'an object', given: '"none"' },
    ])
  })
})

describe('lists, counts and exports', () => {
  test('hold what the account may see: its own records and public ones', async () => {
    const tag = 'seen-by'
    await make({ name: 'private of ada', tags: [tag] })
    await make({ name: 'public of bob', tags: [tag], isPublic: true }, room.bob)
    await make({ name: 'private of bob', tags: [tag] }, room.bob)
    const query = request({ tags: tag })
    const page = await listRecords(room.materials(room.ada), query)
    const names = (JSON.parse(page.documents.toString()) as JsonObject[]).map((document) => document.name)
    expect(names).toEqual(['private of ada', 'public of bob'])
    expect(await countRecords(room.materials(room.ada), query)).toBe(2)
    expect(await countRecords(room.methods(room.ada), query)).toBe(0)
    const chunks: Buffer[] = []
    for await (const chunk of exportRecords(room.materials(room.ada), request({ tags: tag }, 1))) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(names)
  })
})

describe('a record that is not there', () => {
  test('and one that may not be seen get the same answer', async () => {
    const hidden = (await make({}, room.bob)).id
    const readings = ['2222222222222222X', hidden].map(async (id) => {
      const { code, message, data } = await refusalOf(() => getRecord(room.materials(room.ada), id))
      return { code, message: message.replace(id, 'ID'), data }
    })
    const [missing, unseen] = await Promise.all(readings)
    expect(missing).toEqual(unseen)
    expect(missing?.code).toBe(40410)
    for (const write of [updateRecord, deleteRecord] as const) {
      const body = (write === updateRecord ? { name: 'x' } : {}) as never
      expect((await refusalOf(() => write(room.materials(room.ada), hidden, body))).code).toBe(40410)
    }
  })

  test('is a method when a material is asked for', async () => {
    const { id } = await make()
    expect((await refusalOf(() => getRecord(room.methods(room.ada), id))).message).toContain('no method')
  })
})

describe('an update', () => {
  const update = async (id: string, body: Json, options = {}) =>
    updateRecord(room.materials(room.ada), id, body as JsonObject, options)

  test('sets fields by name and by path, and computes what follows from them', async () => {
    const { id } = await make({ tags: ['a', 'b'] })
    room.wait(5000)
    const record = await update(id, {
      name: 'Germanium',
      'basis.elements.0.value': 'Ge',
      'tags.2': 'c',
      'metadata.from.book': 1,
    })
    expect(record.version).toBe(2)
    const document = documentOf(record)
    expect(document).toMatchObject({
      name: 'Germanium',
      slug: 'germanium',
      formula: 'SiGe',
      tags: ['a', 'b', 'c'],
      metadata: { from: { book: 1 } },
    })
    expect(document.hash).not.toBe('a665723ef7429caef6ca89385fe25bae')
    expect(Date.parse(String(document.updatedAt)) - Date.parse(String(document.createdAt))).toBe(5000)
    expect(await getRecord(room.materials(room.ada), id)).toEqual(record)
  })

  test('takes $set and $unset; an unset array element becomes null, as in MongoDB', async () => {
    const { id } = await make({ extra: { a: [1, 2], b: 2 }, description: 'x' })
    const record = await update(id, {
      $set: { 'extra.c': 3 },
      $unset: { description: '', 'extra.a.0': 1, 'no.such': 1, 'extra.a.9': 1 },
    })
    const document = documentOf(record)
    expect(document.extra).toEqual({ a: [null, 2], b: 2, c: 3 })
    expect(document).not.toHaveProperty('description')
  })

  test('may send the whole record back', async () => {
    const { text, id } = await make({ tags: ['a'] })
    const original = JSON.parse(text) as JsonObject
    const backwards = Object.fromEntries(Object.entries(original).reverse())
    const record = await update(id, { ...backwards, name: 'renamed', duplicates: ['another'] })
    expect(documentOf(record)).toMatchObject({ name: 'renamed', slug: 'renamed', formula: 'Si' })
    expect(documentOf(record)).not.toHaveProperty('duplicates')
  })

  test('may send what the server computes anyway, and properties of its own', async () => {
    const original = documentOf(await make())
    const properties = original.derivedProperties as Json[]
    const record = await update(String(original._id), {
      'basis.elements.0.value': 'Ge',
      formula: 'SiGe',
      nElements: 2,
      derivedProperties: [...properties.slice(0, 1), { name: 'inchi', value: 'InChI=1S/x' }],
    })
    expect(documentOf(record)).toMatchObject({ formula: 'SiGe', nElements: 2 })
    expect(documentOf(record).derivedProperties).toContainEqual({ name: 'inchi', value: 'InChI=1S/x' })
  })

  test('that changes nothing writes nothing: no version, no time, no revision', async () => {
    const before = await make({ tags: ['a'], metadata: { x: 1, y: [2] } })
    const original = documentOf(before)
    const { id } = before
    room.wait(5000)
    const bodies: readonly Json[] = [
      {},
      { $set: {} },
      { $set: {}, $unset: {} },
      { name: original.name ?? null },
      { tags: ['a'], isPublic: false },
      { metadata: { y: [2], x: 1 } },
      { 'metadata.y.0': 2 },
      { $unset: { nothing: 1 } },
      { $unset: { isPublic: 1 } },
      original,
    ]
    const stored = await getRecord(room.materials(room.ada), id)
    for (const body of bodies) expect(await update(id, body)).toEqual(stored)
    expect((await getHistory(room.materials(room.ada), id)).revisions).toHaveLength(1)
  })

  test('recomputes vectors when lengths change', async () => {
    const { id } = await make()
    const { lattice } = documentOf(await update(id, { 'lattice.a': 4, 'lattice.b': 4, 'lattice.c': 4 }))
    expect((lattice as unknown as { vectors: JsonObject }).vectors.c).toEqual([0, 0, 4])
  })

  test('makes a record public, and private again', async () => {
    const { id } = await make()
    expect((await update(id, { isPublic: true })).isPublic).toBe(true)
    expect((await getRecord(room.materials(room.bob), id)).id).toBe(id)
    await update(id, { $unset: { isPublic: 1 } })
    expect((await refusalOf(() => getRecord(room.materials(room.bob), id))).code).toBe(40410)
  })

  test('treats __proto__ as any other field', async () => {
    const { id } = await make()
    const { text } = await update(id, JSON.parse('{"__proto__.polluted":1,"metadata.constructor.x":2}'))
    expect(text).toContain('"__proto__":{"polluted":1}')
    expect(({} as JsonObject).polluted).toBeUndefined()
    expect(JSON.parse(text).metadata).toEqual({ constructor: { x: 2 } })
  })

  const REFUSED: readonly (readonly [body: Json, code: number, path: string])[] = [
    [{ $bit: { a: 1 } }, 40050, '$bit'],
    [{ $sett: { a: 1 } }, 40050, '$sett'],
    [{ $set: { a: 1 }, name: 'x' }, 40050, 'name'],
    [{ $set: 5 }, 40050, '$set'],
    [{ '': 1 }, 40050, ''],
    [{ 'a..b': 1 }, 40050, 'a..b'],
    [{ 'tags.$.x': 1 }, 40050, 'tags.$.x'],
    [{ [`a${'.a'.repeat(64)}`]: 1 }, 40050, `a${'.a'.repeat(64)}`],
    [{ 'name.first': 1 }, 40050, 'name.first'],
    [{ 'tags.7': 'x' }, 40050, 'tags.7'],
    [{ 'tags.x': 'x' }, 40050, 'tags.x'],
    [{ 'tags.-1': 'x' }, 40050, 'tags.-1'],
    [{ a: 1, 'a.b': 2 }, 40051, 'a.b'],
    [{ $set: { 'a.b.c': 1 }, $unset: { 'a.b': 1 } }, 40051, 'a.b.c'],
    [{ $set: { a: 1 }, $unset: { a: 1 } }, 40051, 'a'],
    [{ _id: 'other' }, 40052, '_id'],
    [{ 'owner.slug': 'bob' }, 40052, 'owner'],
    [{ $unset: { creator: 1 } }, 40052, 'creator'],
    [{ createdAt: '2020-01-01T00:00:00.000Z' }, 40052, 'createdAt'],
    [{ isDefault: true }, 40052, 'isDefault'],
    [{ formula: 'XYZ' }, 40055, 'formula'],
    [{ $unset: { hash: 1 } }, 40055, 'hash'],
    [{ 'elements.0': 'Ge' }, 40055, 'elements'],
    [{ density: 2.3 }, 40055, 'density'],
    [{ spaceGroup: { number: 227 } }, 40055, 'spaceGroup'],
    [{ 'derivedProperties.0.value': 1 }, 40055, 'derivedProperties'],
    [{ name: 'Other', slug: 'mine' }, 40055, 'slug'],
    [{ updatedAt: '2020-01-01T00:00:00.000Z' }, 40055, 'updatedAt'],
    [{ exabyteId: 'x' }, 40055, 'exabyteId'],
    [{ 'basis.elements.0.value': 'Ge', formula: 'GeSi' }, 40055, 'formula'],
    [{ 'basis.elements.0.value': 'Xx' }, 42201, '/basis/elements/0/value'],
    [{ $unset: { lattice: 1 } }, 42201, '/lattice'],
    [{ metadata: { $a: 1 } }, 42201, '/metadata/$a'],
  ]

  test.each(REFUSED)('%j is refused with %d at %s', async (body, code, path) => {
    const { id } = await make({ tags: ['a'] })
    const refusal = await refusalOf(() => update(id, body))
    expect({ code: refusal.code, path: refusal.data.path }).toEqual({ code, path })
    expect(refusal.data.hint).toBeTruthy()
    expect((await getRecord(room.materials(room.ada), id)).version).toBe(1)
  })

  test('with If-Match is carried out on that version only', async () => {
    const { id, serial } = await make()
    const tag = (version: number) => `"${serial}-${version}"`
    expect((await update(id, { name: 'one' }, { ifMatch: tag(1) })).version).toBe(2)
    const refusal = await refusalOf(() => update(id, { name: 'two' }, { ifMatch: tag(1) }))
    expect(refusal.code).toBe(41201)
    expect((await refusalOf(() => update(id, { name: 'two' }, { ifMatch: `W/${tag(2)}` }))).code).toBe(41201)
    expect((await update(id, { name: 'two' }, { ifMatch: `"9", ${tag(2)}` })).version).toBe(3)
    expect((await update(id, { name: 'three' }, { ifMatch: '*' })).version).toBe(4)
  })

  test('loses nothing when many come at once', async () => {
    const { id } = await make({ extra: {} })
    const fields = Array.from({ length: 8 }, (_, index) => `extra.field${index}`)
    await Promise.all(fields.map((field) => update(id, { [field]: 1 })))
    const document = documentOf(await getRecord(room.materials(room.ada), id))
    expect(Object.keys(document.extra as JsonObject)).toHaveLength(8)
  })
})

describe('a record of another account', () => {
  test('that is public can be read but not written', async () => {
    const { id } = await make({ isPublic: true }, room.bob)
    expect((await getRecord(room.materials(room.ada), id)).accountId).toBe(room.bob.account.id)
    const refusals = [
      () => updateRecord(room.materials(room.ada), id, { name: 'x' }),
      () => deleteRecord(room.materials(room.ada), id),
    ]
    for (const refused of refusals) expect((await refusalOf(refused)).code).toBe(40310)
  })
})

describe('a deletion', () => {
  test('is for good, and asks for the version when told to', async () => {
    const { id, serial } = await make()
    const other = { ifMatch: `"${serial}-2"` }
    expect((await refusalOf(() => deleteRecord(room.materials(room.ada), id, other))).code).toBe(41201)
    expect((await refusalOf(() => deleteRecord(room.materials(room.reader), id))).code).toBe(40301)
    await deleteRecord(room.materials(room.ada), id, { ifMatch: `"${serial}-1"` })
    expect((await refusalOf(() => deleteRecord(room.materials(room.ada), id))).code).toBe(40410)
  })
})
