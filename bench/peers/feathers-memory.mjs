// Feathers 5 over Koa with its memory store.
import { feathers } from '@feathersjs/feathers'
import { bodyParser, errorHandler, koa, parseAuthentication, rest } from '@feathersjs/koa'
import { MemoryService } from '@feathersjs/memory'
import { announce, readDocuments } from './documents.mjs'

/** Query strings carry text only; without this a number would never match. */
function numbersFromText(context) {
  for (const [path, value] of Object.entries(context.params.query)) {
    if (typeof value === 'string' && /^\d+$/.test(value)) context.params.query[path] = Number(value)
  }
}

const documents = await readDocuments(process.argv[2])
const store = Object.fromEntries(documents.map((document) => [document._id, document]))

const app = koa(feathers())
app.use(errorHandler())
app.use(parseAuthentication())
app.use(bodyParser())
app.configure(rest())
app.use('materials', new MemoryService({ id: '_id', store, paginate: { default: 50, max: 500 } }))
app.service('materials').hooks({ before: { find: [numbersFromText] } })
const server = await app.listen(0, '127.0.0.1')
if (server.listening) announce(server)
else server.once('listening', () => announce(server))
