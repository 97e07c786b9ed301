// The floors: node:http that answers with bytes that are ready. Takes a file of {"credentials", "answers": {target: {"head": [name, value, …], "body"}}}
// and `bare` or `fair`. The bare one sends the body with its type and length. The fair one does what the contract asks for with each request: who asks is
// looked up, the clocks are read, the turn of the event loop has an end, and the head is the same.
// Further, how many processes answer on the port, and how many microseconds of a processor each answer of the bare one takes beside.
import cluster from 'node:cluster'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { announce } from './documents.mjs'

/** How long a session is trusted that was looked up. */
const TRUSTED_MS = 1000
/** What every answer has anew. */
const OF_EACH_ANSWER = ['x-request-id', 'server-timing']

const [file, kind, workers = '1', microseconds = '0'] = process.argv.slice(2)
const { answers, credentials } = JSON.parse(readFileSync(file, 'utf8'))
const ready = new Map(
  Object.entries(answers).map(([target, { head, body }]) => [
    target,
    { head: kept(head), stations: stationsOf(head), body: Buffer.from(body) },
  ]),
)
const sessions = new Map([
  [keyOf(credentials['X-Account-Id'], credentials['X-Auth-Token']), { name: 'bench', since: 0 }],
])
const clients = new WeakMap()
const start = randomBytes(4).toString('hex')
let count = 0
let awaitsEnd = false

const server = createServer({ keepAliveTimeout: 72_000 }, kind === 'fair' ? answerFairly : answerBarely)
if (workers !== '1' && cluster.isPrimary) startWorkers(Number(workers))
else server.listen(0, '127.0.0.1', () => (cluster.isPrimary ? announce(server.address().port) : undefined))

/** Says that they listen when all do: one of them alone would get every connection. */
function startWorkers(count) {
  let listening = 0
  cluster.on('listening', (_, { port }) => {
    listening += 1
    if (listening === count) announce(port)
  })
  for (let worker = 0; worker < count; worker += 1) cluster.fork()
}

function answerBarely(request, response) {
  const answer = ready.get(request.url)
  if (answer === undefined) return refuse(response, 404)
  take(Number(microseconds))
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': answer.body.length })
  response.end(answer.body)
}

/** Takes time of a processor, not of the clock: who waits for a processor does no work meanwhile. */
function take(wanted) {
  const before = process.cpuUsage()
  for (let taken = 0; taken < wanted; ) {
    const { user, system } = process.cpuUsage(before)
    taken = user + system
  }
}

function answerFairly(request, response) {
  const arrivedAt = performance.now()
  const id = `${start}-${(count++).toString(36)}`
  if (!awaitsEnd) {
    awaitsEnd = true
    setImmediate(endTurn)
  }
  if (sessionOf(request) === undefined) return refuse(response, 401)
  const answer = ready.get(request.url)
  if (answer === undefined) return refuse(response, 404)
  const took = (performance.now() - arrivedAt).toFixed(2)
  const timing = `${answer.stations}total;dur=${took}`
  response.writeHead(200, [...answer.head, 'x-request-id', id, 'server-timing', timing])
  response.end(answer.body)
}

function endTurn() {
  awaitsEnd = false
}

/** A connection that sends the same headers again is the same client. */
function sessionOf({ headers, socket }) {
  const { 'x-account-id': account, 'x-auth-token': token, authorization } = headers
  let client = clients.get(socket)
  if (client === undefined || !isOf(client, account, token, authorization)) {
    client = { account, token, authorization, session: sessions.get(keyOf(account, token)) }
    clients.set(socket, client)
  }
  const { session } = client
  const now = Date.now()
  if (session !== undefined && now >= session.since + TRUSTED_MS) session.since = now
  return session
}

function isOf(client, account, token, authorization) {
  return client.token === token && client.account === account && client.authorization === authorization
}

/** No secret is kept. */
function keyOf(account, token) {
  return `${createHash('sha256').update(`${token}`).digest('hex')} ${account}`
}

function kept(head) {
  return head.flatMap((name, at) => (at % 2 === 0 && !OF_EACH_ANSWER.includes(name) ? [name, head[at + 1]] : []))
}

/** How an answer was found, before the time that it took. */
function stationsOf(head) {
  const at = head.indexOf('server-timing')
  return at < 0 ? '' : head[at + 1].replace(/total;dur=.*$/, '')
}

function refuse(response, status) {
  response.writeHead(status, { 'Content-Length': 0 }).end()
}
