import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { NOWHERE } from '../../src/accounts/session.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const list = async (collection: string, query: object, as: Actor = 'ada', headers: Record<string, string> = {}) => {
  const parameters = new URLSearchParams({ query: JSON.stringify(query), projection: '{}' })
  const { status, body } = await server.call('GET', `${collection}?${parameters}`, { as, headers })
  expect([status, body.message]).toEqual([200, undefined])
  return body.data
}
const create = async (collection: string, record: object) => {
  const { status, body } = await server.call('PUT', `${collection}/create`, { body: record })
  expect([status, body.message]).toEqual([200, undefined])
  return body.data
}

describe('projects', () => {
  const defaultOf = (id: string) => ({ isDefault: true, 'owner._id': id })

  test('have a default in every account, without anybody having made it', async () => {
    const [project, ...others] = await list('projects', defaultOf(server.accountIds.ada))
    expect(others).toEqual([])
    expect(project).toMatchObject({
      name: 'Default',
      slug: 'default',
      isDefault: true,
      isPublic: false,
      owner: { _id: server.accountIds.ada, cls: 'Account' },
    })
    expect(await list('projects', defaultOf(server.accountIds.ada))).toEqual([project])
    expect((await server.call('GET', 'projects/default')).body.data).toEqual(project)
  })

  test('have one default even when many ask for the first time at once, also with a read-only token', async () => {
    const { accounts } = server.services
    const user = await accounts.store.findUserByLogin('ada')
    const session = {
      user,
      account: { id: user?.defaultAccountId },
      token: { oneAccount: false },
      readOnly: false,
      origin: NOWHERE,
    }
    const { account } = await createOrganization(accounts, session as never, { name: 'new-lab' })
    const headers = { 'x-account-id': account.id }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        list('projects', defaultOf(account.id), n % 2 === 0 ? 'ada' : 'readOnly', headers),
      ),
    )
    for (const projects of answers) expect(projects).toEqual(answers[0])
    expect(answers[0]).toHaveLength(1)
    const [bobs] = await list('projects', {}, 'bob')
    expect(bobs._id).not.toBe(answers[0][0]._id)
  })

  test('keep one default when another becomes it', async () => {
    const made = await create('projects', { name: 'Surfaces' })
    expect(made.isDefault).toBe(false)
    expect((await server.call('POST', `projects/${made._id}/set-default`)).status).toBe(200)
    const defaults = await list('projects', defaultOf(server.accountIds.ada))
    expect(defaults.map(({ name }: { name: string }) => name)).toEqual(['Surfaces'])
    expect((await server.call('DELETE', `projects/${made._id}`)).status).toBe(409)
  })
})

describe('workflows', () => {
  test('keep the hash that a client computed, and are found by it', async () => {
    const hash = '9ec9d4b0a4e9b2d9b0d5a5a0b3c1d2e3'
    const made = await create('workflows', { name: 'Band gap', hash, subworkflows: [{ units: [{}] }], units: [] })
    const found = await list('workflows', { hash, 'owner._id': server.accountIds.ada })
    expect(found).toEqual([made])
    const { body } = await server.call('PATCH', `workflows/${made._id}`, {
      body: { 'subworkflows.0.units.0.context': { kpath: 'GXW' } },
    })
    expect(body.data.subworkflows).toEqual([{ units: [{ context: { kpath: 'GXW' } }] }])
    expect(body.data.hash).toBe(hash)
  })
})

describe('jobs', () => {
  test('are stored, wait for submission, and are polled by status', async () => {
    const [project] = await list('projects', { isDefault: true })
    const silicon = await create('materials', material('Si'))
    const job = await create('jobs', {
      name: 'relax',
      workflow: { subworkflows: [] },
      _project: { _id: project._id },
      _material: { _id: silicon._id },
    })
    expect(job.status).toBe('pre-submission')
    await server.call('PATCH', `jobs/${job._id}`, { body: { status: 'finished' } })
    const parameters = new URLSearchParams({
      query: JSON.stringify({ _id: { $in: [job._id] } }),
      projection: '{"fields":{"status":1}}',
    })
    const { body } = await server.call('GET', `jobs?${parameters}`)
    expect(body.data).toEqual([{ _id: job._id, status: 'finished' }])
    expect((await server.call('PATCH', `jobs/${job._id}`, { body: { status: 'done' } })).body.code).toBe(42201)
  })

  test('are not run: submit says so and what to do instead', async () => {
    const job = await create('jobs', { name: 'relax' })
    const { status, body } = await server.call('POST', `jobs/${job._id}/submit`)
    expect(status).toBe(501)
    expect(body).toMatchObject({ code: 50101, data: { hint: expect.stringContaining('PATCH') } })
    expect((await server.call('GET', `jobs/${job._id}`)).body.data.status).toBe('pre-submission')
    expect((await server.call('POST', 'jobs/none/submit')).status).toBe(404)
    expect((await server.call('POST', `jobs/${job._id}/submit`, { as: 'readOnly' })).status).toBe(403)
    expect((await server.call('POST', `jobs/${job._id}/submit`, { as: 'bob' })).status).toBe(404)
  })

  test('have no clusters to run on', async () => {
    expect((await server.call('GET', 'other/clusters')).body.data).toEqual([])
  })
})

describe('properties', () => {
  test('are found by the job that they come from', async () => {
    const { _id: jobId } = await create('jobs', { name: 'gap' })
    const made = await create('properties', {
      data: { name: 'band_gaps', values: [{ type: 'direct', value: 1.1 }] },
      source: { type: 'exabyte', info: { jobId, unitId: 'unit1' } },
    })
    expect(made.name).toBe('band_gaps')
    expect(await list('properties', { 'source.info.jobId': jobId, 'data.name': 'band_gaps' })).toEqual([made])
    expect((await server.call('GET', `properties?jobId=${jobId}`)).body.data).toEqual([made])
    const { body } = await server.call('PATCH', `properties/${made._id}`, { body: { $set: { 'data.value': 2 } } })
    expect(body.data.data.value).toBe(2)
    expect((await server.call('PUT', 'properties/create', { body: { data: {} } })).body.message).toContain('/data/name')
  })
})

describe('the counts that anybody may see', () => {
  test('count public records only, and notice changes', async () => {
    const counts = async () => {
      const { body } = await server.call('GET', 'other/entity-counts', { as: 'guest' })
      return Object.fromEntries(body.data.map(({ name, count }: { name: string; count: number }) => [name, count]))
    }
    await create('workflows', { name: 'private' })
    const before = await counts()
    expect(before).toMatchObject({ Materials: expect.any(Number), Workflows: 0, Jobs: 0, Properties: 0 })
    const shared = await create('workflows', { name: 'public', isPublic: true })
    expect(await counts()).toEqual({ ...before, Workflows: 1 })
    await server.call('PATCH', `workflows/${shared._id}`, { body: { isPublic: false } })
    expect(await counts()).toEqual(before)
  })
})
