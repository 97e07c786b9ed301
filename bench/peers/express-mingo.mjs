// Express 5 and mingo over an array: what one writes first for "Mongo queries over JSON".
import express from 'express'
import { Query } from 'mingo'
import { announce, readDocuments } from './documents.mjs'

const documents = await readDocuments(process.argv[2])
const byId = new Map(documents.map((document) => [document._id, document]))

const app = express()
app.get('/materials/:id', (request, response) => {
  response.json({ status: 'success', data: byId.get(request.params.id) })
})
app.get('/materials', (request, response) => {
  const { sort, fields, skip = 0, limit = 50 } = JSON.parse(request.query.projection)
  const found = new Query(JSON.parse(request.query.query)).find(documents, fields)
  response.json({ status: 'success', data: found.sort(sort).skip(skip).limit(limit).all() })
})
const server = app.listen(0, '127.0.0.1', () => announce(server.address().port))
