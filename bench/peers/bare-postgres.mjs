// The floor over PostgreSQL: fetches the rows of an answer by key, with the library that Quarry uses, and sends them over node:http.
// Takes the address of the database and a file of {"homes": [home], "answers": {target: {"ids": [id], "isList": boolean, "fields": [path] | null}}}.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import postgres from 'postgres'
import { announce } from './documents.mjs'

const [url, file] = process.argv.slice(2)
const sql = postgres(url, { host: decodeURIComponent(new URL(url).hostname), max: 4 })
const { homes, answers } = JSON.parse(readFileSync(file, 'utf8'))
const lists = await findLists()

const server = createServer(async (request, response) => {
  const body = lists.has(request.url)
    ? await readList(lists.get(request.url))
    : await readRecord(answers[request.url].ids[0])
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => announce(server.address().port))

/** Where the records of the lists are: it is given what Quarry has to find. */
async function findLists() {
  const asked = Object.entries(answers).filter(([, { isList }]) => isList)
  const ids = [...new Set(asked.flatMap(([, answer]) => answer.ids))]
  const rows =
    await sql`SELECT id, home, n FROM record WHERE home = ANY(${homes}) AND collection = 'materials' AND id = ANY(${ids})`
  const places = new Map(rows.map(({ id, home, n }) => [id, { home, n: String(n) }]))
  return new Map(
    asked.map(([target, answer]) => [target, { ...answer, places: answer.ids.map((id) => places.get(id)) }]),
  )
}

async function readRecord(id) {
  const [row] =
    await sql`SELECT doc FROM record WHERE home = ANY(${homes}) AND collection = 'materials' AND id = ${id}`.raw()
  return Buffer.concat([Buffer.from('{"status":"success","data":'), row[0], Buffer.from('}')])
}

async function readList({ places, fields }) {
  const found = new Map()
  await Promise.all(
    homes.map(async (home) => {
      const numbers = places.filter((place) => place.home === home).map(({ n }) => n)
      if (numbers.length === 0) return
      const rows =
        await sql`SELECT n, doc FROM record WHERE home = ${home} AND collection = 'materials' AND n = ANY(${numbers}::bigint[])`.raw()
      for (const [n, doc] of rows) found.set(n.toString('latin1'), doc)
    }),
  )
  const parts = [Buffer.from('{"status":"success","data":[')]
  for (const [at, { n }] of places.entries()) {
    if (at > 0) parts.push(Buffer.from(','))
    const doc = found.get(n)
    parts.push(fields === null ? doc : Buffer.from(JSON.stringify(pick(JSON.parse(doc.toString()), fields))))
  }
  parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}

function pick(document, fields) {
  const kept = { _id: document._id }
  for (const path of fields) {
    const [first, second] = path.split('.')
    if (second === undefined) kept[first] = document[first]
    else kept[first] = { ...kept[first], [second]: document[first][second] }
  }
  return kept
}
