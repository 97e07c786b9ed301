import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { resolveSession } from '../../src/accounts/sessions.ts'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import type { ClientCall } from './call.ts'
import {
  ACCOUNT_CALLS,
  BANK_CALLS,
  DEFAULT_CALLS,
  IMPORT_CALLS,
  JOB_CALLS,
  MATERIAL_CALLS,
  SET_CALLS,
} from './python-client.calls.ts'
import { jsonDumps, type PythonAnswer, type PythonRequest, send } from './python-requests.ts'

/** What the client's endpoints can be given to authenticate with, and the version that they use without being told. */
const GENERATIONS = [
  ['2018-10-01', 'the pair of headers'],
  ['2018-10-1', 'the pair of headers'],
  ['2018-10-01', 'a bearer token'],
] as const

describe.each(GENERATIONS)('the Python client, version %s, with %s,', (version, credential) => {
  let server: LiveServer
  /** What the script has kept so far, by name. */
  const kept = new Map<string, string>()
  let headers: Record<string, string>

  beforeAll(async () => {
    server = await startServer()
    const organization = await createOrganization(
      server.services.accounts,
      await resolveSession(server.services.accounts, pairOf(server)),
      { name: 'crystal-lab' },
    )
    kept.set('account', server.accountIds.ada)
    kept.set('stranger', server.accountIds.bob)
    kept.set('organization', organization.account.id)
  })
  afterAll(() => server.close())

  const url = (path: string) =>
    path.startsWith('/') ? `${server.origin}${path}` : `${server.origin}/api/${version}/${path}`
  const logIn = (password: string) =>
    send({ method: 'POST', url: url('login'), data: { username: 'ada', password } }).then(dataOf)

  test('is told by login that a password is wrong', async () => {
    await expect(logIn('nonsense')).rejects.toThrow(/^Error 401: ./)
  })

  test('logs in', async () => {
    const pair = await logIn(PASSWORD)
    const authentication: Record<string, string> =
      credential === 'a bearer token'
        ? { Authorization: `Bearer ${pair['X-Auth-Token']}` }
        : { 'X-Account-Id': pair['X-Account-Id'], 'X-Auth-Token': pair['X-Auth-Token'] }
    headers = { ...authentication, 'Content-Type': 'application/json' }
    expect(pair['X-Account-Id']).toBe(server.accountIds.ada)
  })

  const calls = [
    ...MATERIAL_CALLS,
    ...IMPORT_CALLS,
    ...SET_CALLS,
    ...DEFAULT_CALLS,
    ...ACCOUNT_CALLS,
    ...BANK_CALLS,
    ...JOB_CALLS,
  ]
  test.each(calls.map((call): [string, ClientCall] => [call.call, call]))('calls %s', async (_call, call) => {
    const { method, path, params, json, returns, lists, keeps, raises } = filledIn(call, kept)
    const request: PythonRequest = {
      method,
      url: url(path),
      headers,
      ...(params === undefined ? {} : { params }),
      ...(json === undefined ? {} : { data: jsonDumps(json) }),
    }
    if (raises !== undefined) {
      const error = await send(request)
        .then(dataOf)
        .catch((caught: Error) => caught)
      expect(String((error as Error).message)).toMatch(new RegExp(`^${escaped(raises)}.`))
      return
    }
    const data = await send(request).then(dataOf)
    if (lists !== undefined) expect(data.map(({ _id }: { _id: string }) => _id).sort()).toEqual([...lists].sort())
    if (returns !== undefined) expect(data).toMatchObject(returns)
    if (keeps !== undefined) kept.set(keeps, (Array.isArray(data) ? data[0] : data)._id)
  })

  test('logs out, and the token is dead', async () => {
    const data = await send({ method: 'POST', url: url('logout'), headers }).then(dataOf)
    expect(data.message).toMatch(/logged out/i)
    await expect(send({ method: 'GET', url: url('materials'), headers }).then(dataOf)).rejects.toThrow(/^Error 401: ./)
  })
})

function pairOf({ credentials }: LiveServer) {
  return { accountId: credentials.ada['x-account-id'] as string, token: credentials.ada['x-auth-token'] as string }
}

/** Does with an answer what the client does: raises what the server says of an error, else gives the data. */
function dataOf({ status, body }: PythonAnswer) {
  if (status >= 400) throw new Error(`Error ${status}: ${body.data.message ?? body.message ?? 'HTTP Error'}.`)
  if (body.status !== 'success') throw new Error(body.data.message)
  if (!Object.hasOwn(body, 'data')) throw new Error("KeyError: 'data'")
  return body.data
}

/** Puts what was kept in the place of the names in braces. */
function filledIn(call: ClientCall, kept: ReadonlyMap<string, string>): ClientCall {
  return JSON.parse(
    JSON.stringify(call).replaceAll(/\{([a-z]+)\}/g, (_, name) => kept.get(name) ?? `no ${name} was kept`),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
