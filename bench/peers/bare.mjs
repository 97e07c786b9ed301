// The floor: node:http that answers with bytes that are ready. Takes a file of {"answers": {target: body}}.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { announce } from './documents.mjs'

const { answers } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bodies = new Map(Object.entries(answers).map(([target, body]) => [target, Buffer.from(body)]))

const server = createServer((request, response) => {
  const body = bodies.get(request.url)
  if (body === undefined) return response.writeHead(404, { 'Content-Length': 0 }).end()
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => announce(server))
