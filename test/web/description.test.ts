import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Description,
  groupsOf,
  inWords,
  kindsOf,
  matches,
  type Operation,
  operationsOf,
} from '../../web/pages/docs/description.ts'
import { beginTyping, callOf, keyOf, missingSteps, requestOf } from '../../web/pages/docs/request.ts'
import { type LiveServer, startServer } from '../http/support/live-server.ts'

let server: LiveServer
let description: Description
let operations: readonly Operation[]
beforeAll(async () => {
  server = await startServer()
  description = (await server.call('GET', 'openapi.json', { as: 'guest' })).body
  operations = operationsOf(description)
})
afterAll(() => server.close())

const named = (id: string) => operations.find((one) => one.id === id) as Operation

describe('the operations of the server', () => {
  test('are all read, with what their references lead to', () => {
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(operations.map(({ id }) => id)).toEqual(ids)
    for (const { id, parameters, success, failures } of operations) {
      expect([id, parameters.every(({ name, schema }) => name !== '' && schema !== undefined)]).toEqual([id, true])
      expect([id, success.status.startsWith('2'), success.description !== '']).toEqual([id, true, true])
      expect([id, failures.length > 3, failures.every((one) => one.description !== '')]).toEqual([id, true, true])
    }
    expect([named('logIn').isOpen, named('listTokens').isOpen]).toEqual([true, false])
  })

  test('show each thing that can be done with records once, for the kind that is chosen', () => {
    const kinds = kindsOf(operations)
    expect(kinds.slice(0, 2)).toEqual([
      { tag: 'Materials', collection: 'materials', name: 'material' },
      { tag: 'Methods', collection: 'methods', name: 'method' },
    ])
    expect(kinds.find(({ tag }) => tag === 'Properties')?.name).toBe('property')
    const shownFor = (chosen: string) =>
      groupsOf(operations, kinds, chosen).flatMap((group) => group.operations.map(({ id }) => id))
    const forMethods = shownFor('Methods')
    expect(forMethods).toEqual(expect.arrayContaining(['listMethods', 'exportMethods', 'showMethodSchema']))
    // What a kind has alone is there whichever is chosen.
    expect(forMethods).toEqual(expect.arrayContaining(['importMaterials', 'submitJob', 'logIn', 'listBankMaterials']))
    for (const other of ['listMaterials', 'listJobs', 'showJobSchema']) expect(forMethods).not.toContain(other)
    for (const { tag } of kinds) {
      const shown = shownFor(tag)
      expect([tag, new Set(shown).size]).toEqual([tag, shown.length])
      expect(shown.length).toBeLessThan(operations.length / 2)
    }
    // Nothing is lost: every operation is shown for one kind or another.
    const all = new Set(kinds.flatMap(({ tag }) => shownFor(tag)))
    expect(operations.filter(({ id }) => !all.has(id)).map(({ id }) => id)).toEqual([])
  })

  test('are found by all words of a search', () => {
    const found = (search: string) => operations.filter((one) => matches(one, search)).map(({ id }) => id)
    expect(found('  TOKEN  revoke ')).toEqual(['revokeToken'])
    expect(found('spaceGroup bank list')).toContain('listBankMaterials')
    expect(found('')).toHaveLength(operations.length)
    expect(found('nothing-like-it')).toEqual([])
  })

  test('are grouped under words', () => {
    expect([inWords('BankMaterials'), inWords('Session')]).toEqual(['Bank materials', 'Session'])
  })
})

describe('a request that was typed', () => {
  const type = (id: string, values: Record<string, string>, body?: string) => {
    const operation = named(id)
    const begun = beginTyping(operation)
    return requestOf(operation, { values, body: body ?? begun.body })
  }

  test('has each value in its place, and nothing of what was left empty', () => {
    const operation = named('updateMaterial')
    const request = type('updateMaterial', {
      'path id': 'a/b',
      'query strict': 'true',
      'header If-Match': '"v1"',
      'header Idempotency-Key': '',
    })
    expect(operation.parameters.map(keyOf)).toEqual(expect.arrayContaining(['path id', 'header If-Match']))
    expect(request).toEqual({
      path: '/api/2018-10-01/materials/a%2Fb',
      search: { strict: 'true' },
      headers: { 'If-Match': '"v1"', 'content-type': 'application/json' },
      body: expect.stringContaining('Silicon'),
    })
    expect(missingSteps(request)).toEqual([])
  })

  test('says what of the address is missing', () => {
    expect(missingSteps(type('removeMember', { 'path id': 'x' }))).toEqual(['user'])
  })

  test('is the same for a program', () => {
    const place = { root: 'http://host/q', api: '/api/2018-10-01' }
    const list = callOf(named('listMaterials'), type('listMaterials', { 'query limit': '2' }), place, 'acc')
    expect(list).toMatchObject({
      root: 'http://host/q/api/2018-10-01',
      path: '/materials',
      search: { limit: '2' },
      accountId: 'acc',
      isOpen: false,
      answer: 'json',
    })
    const probe = callOf(named('showHealth'), type('showHealth', {}), place)
    expect(probe).toMatchObject({ root: 'http://host/q', path: '/healthz', isOpen: true })
    expect(callOf(named('exportMethods'), type('exportMethods', {}), place)?.answer).toBe('text')
    expect(callOf(named('createToken'), type('createToken', {}), place)?.body).toMatchObject({ name: 'laptop' })
    expect(callOf(named('importMethodsInBulk'), type('importMethodsInBulk', {}), place)).toBeNull()
  })
})
