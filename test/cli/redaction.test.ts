import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { type ServerProcess, startServer, stopServers } from './server-process.ts'

/** Texts that nobody may find anywhere but where they were sent. The first ones are credentials, the others somebody's data. */
const SECRET = {
  password: 'Zq-correct-horse-7731',
  wrongPassword: 'Zq-wrong-horse-7732',
  passwordAsName: 'Zq-typed-as-name-7733',
  cookie: 'Zq-cookie-7734',
  header: 'Zq-header-7735',
  bearer: 'Zq-bearer-7736',
  queryValue: 'Zq-query-7737',
  bodyValue: 'Zq-body-7738',
  fileText: 'Zq-file-7739',
  pathPart: 'Zq-path-7740',
  parameter: 'Zq-parameter-7741',
} as const

let directory: ReturnType<typeof newDataDirectory>
let server: ServerProcess
/** What the server itself has made and given away. */
const given: string[] = []
let answered = 0

beforeAll(async () => {
  directory = newDataDirectory()
  const create = ['user', 'create', 'ada', '--password-stdin', '--data', directory.data]
  await runCli(create, { input: `${SECRET.password}\n` })
  const flags = ['--log-level', 'debug', '--access-log', '--no-samples', '--slow-query-ms', '1', '--trust-proxy']
  server = await startServer(directory.data, flags)
  await sendEverything()
  await server.stop()
})
afterAll(async () => {
  await stopServers()
  directory.remove()
})

const API = '/api/2018-10-01'
const HEADERS = {
  cookie: `session=${SECRET.cookie}`,
  'x-custom': SECRET.header,
  'user-agent': `client/${SECRET.header}`,
  'x-request-id': SECRET.header,
  'x-forwarded-for': `${SECRET.header}, 192.0.2.1`,
  referer: `https://lab.example/?token=${SECRET.parameter}`,
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: string | Uint8Array) {
  const init = { method, headers: { ...HEADERS, ...headers }, ...(body === undefined ? {} : { body: body as string }) }
  const response = await fetch(`${server.url}${path}`, init)
  answered += 1
  return { status: response.status, text: await response.text() }
}

/** Logs in rightly and wrongly, makes tokens, and sends secrets to every address by every method, well formed and not. */
async function sendEverything(): Promise<void> {
  const login = (fields: Record<string, string>) =>
    send('POST', `${API}/login`, FORM, new URLSearchParams(fields).toString())
  const pair = JSON.parse((await login({ username: 'ada', password: SECRET.password })).text).data
  given.push(pair['X-Auth-Token'])
  const ada = { 'x-account-id': pair['X-Account-Id'], 'x-auth-token': pair['X-Auth-Token'] }
  await login({ username: 'ada', password: SECRET.wrongPassword })
  await login({ username: SECRET.passwordAsName, password: SECRET.wrongPassword })
  await login({ username: SECRET.passwordAsName })
  await send('POST', `${API}/login`, JSON_TYPE, `{"username":"ada","password":"${SECRET.wrongPassword}"`)
  const token = await send('POST', `${API}/tokens`, { ...ada, ...JSON_TYPE }, '{"name":"laptop"}')
  given.push(
    ...Object.values(JSON.parse(token.text).data)
      .filter((value) => /^[\w-]{43}$/.test(String(value)))
      .map(String),
  )
  await send('GET', '/api/v1/users/me', { authorization: `Bearer ${SECRET.bearer}` })
  await send('GET', '/api/v1/users/me', { 'x-auth-token': SECRET.bearer, 'x-account-id': SECRET.header })

  const bodies = [
    `{"name":"${SECRET.bodyValue}","query":{"name":"${SECRET.queryValue}"},"password":"${SECRET.wrongPassword}"}`,
    `{"name":"${SECRET.bodyValue}"`,
    `{"${SECRET.bodyValue}":NaN}`,
    `${SECRET.bodyValue}`,
    JSON.stringify({ content: SECRET.fileText, format: 'poscar' }),
  ]
  const { paths } = JSON.parse((await send('GET', '/openapi.json')).text)
  for (const [path, methods] of Object.entries<Record<string, unknown>>(paths)) {
    const target = path.replaceAll(/\{\w+\}/g, SECRET.pathPart)
    for (const method of Object.keys(methods).map((name) => name.toUpperCase())) {
      if (method === 'GET') {
        await send('GET', `${target}?query={"name":"${SECRET.queryValue}"}`, ada)
        await send('GET', `${target}?query={"$where":"${SECRET.queryValue}"}&${SECRET.parameter}=1`, ada)
      } else if (!path.endsWith('/logout')) {
        for (const body of bodies) await send(method, target, { ...ada, ...JSON_TYPE }, body)
        await send(method, target, { ...ada, 'content-type': `text/${SECRET.header}` }, SECRET.bodyValue)
      }
    }
  }
  const record = { ...ada, ...JSON_TYPE }
  for (let n = 0; n < 40; n++)
    await send('POST', `${API}/methods`, record, JSON.stringify({ name: SECRET.bodyValue, n }))
  // Slow enough to be told, with a value that must not be.
  const slow = encodeURIComponent(JSON.stringify({ $expr: { $eq: [{ $toLower: '$name' }, SECRET.queryValue] } }))
  for (let time = 0; time < 3; time++) await send('GET', `${API}/methods?query=${slow}&limit=1`, ada)
  await send('GET', `/${SECRET.pathPart}?${SECRET.parameter}`, ada)
  await brokenBytes()
  await send('POST', `${API}/logout`, ada)
}

async function brokenBytes(): Promise<void> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET /${SECRET.pathPart} HTTP/9.9\r\nX-Auth-Token: ${SECRET.bearer}\r\n\r\n${SECRET.bodyValue}`)
  socket.resume()
  await once(socket, 'close')
}

describe('what a server writes at its loudest', () => {
  it('has a line for every request, with its id', () => {
    const lines = server
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const events = lines.map((line) => JSON.parse(line))
    const access = events.filter(({ event }) => event === 'request.answered')
    expect(answered).toBeGreaterThan(300)
    expect(access.length).toBeGreaterThanOrEqual(answered)
    expect(new Set(access.map(({ request }) => request)).size).toBe(access.length)
    expect(new Set(events.map(({ event }) => event))).toContain('login.failed')
  })

  it.each(Object.entries(SECRET))('has nothing of the %s', (_what, secret) => {
    expect(
      server
        .stderr()
        .split('\n')
        .filter((line) => line.includes(secret)),
    ).toEqual([])
    expect(server.lines.filter((line) => line.includes(secret))).toEqual([])
  })

  it('has nothing of the credentials that it gave away', () => {
    expect(given.length).toBe(2)
    for (const secret of given) expect(server.stderr()).not.toContain(secret)
  })

  it('keeps none of them in the audit', async () => {
    const { stdout } = await runCli(['audit', '--json', '--limit', '100000', '--data', directory.data])
    expect(stdout).toContain('"login.failed"')
    // A record has the id that its address names, and names nothing else.
    for (const secret of [...Object.values(SECRET), ...given]) expect(stdout).not.toContain(secret)
  })
})
