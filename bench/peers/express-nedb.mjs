// Express 5 and NeDB in memory, with an index on every field that the workloads filter by.
import Datastore from '@seald-io/nedb'
import express from 'express'
import { announce, readDocuments } from './documents.mjs'

const database = new Datastore()
await database.insertAsync(await readDocuments(process.argv[2]))
for (const fieldName of ['lattice.type', 'bench.rare']) await database.ensureIndexAsync({ fieldName })

const app = express()
app.get('/materials/:id', async (request, response) => {
  response.json({ status: 'success', data: await database.findOneAsync({ _id: request.params.id }) })
})
app.get('/materials', async (request, response) => {
  const { sort, fields, skip = 0, limit = 50 } = JSON.parse(request.query.projection)
  const found = database.findAsync(JSON.parse(request.query.query), fields)
  response.json({ status: 'success', data: await found.sort(sort).skip(skip).limit(limit) })
})
const server = app.listen(0, '127.0.0.1', () => announce(server.address().port))
