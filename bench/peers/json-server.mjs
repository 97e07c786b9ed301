// json-server 0.17 over an object in memory.
import jsonServer from 'json-server'
import { announce, readDocuments } from './documents.mjs'

const app = jsonServer.create()
const router = jsonServer.router({ materials: await readDocuments(process.argv[2]) })
router.db._.id = '_id'
app.use(router)
const server = app.listen(0, '127.0.0.1', () => announce(server))
