/**
 * Lets an earlier version of Quarry write a small database and answer questions over it, for the test that opens such a file.
 *
 *     git worktree add --detach /tmp/old 366aca8 && (cd /tmp/old && npm ci)
 *     npx tsx scripts/old-version.ts --checkout /tmp/old --to test/fixtures/version-366aca8
 *
 * The old version's own command and HTTP API do all of it. Ids and tokens are new each time.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { ask, type People } from '../test/support/questions.ts'
import { fill } from './old-version/contents.ts'
import { OldQuarry, Sender } from './old-version/old-quarry.ts'
import { DEMANDED, questionsOn } from './old-version/questions.ts'

const PASSWORD = 'correct horse battery'
/** A list must cost 200 ms in all before it gets an index. */
const MOST_REPEATS = 20_000
const REPEATS_AT_ONCE = 50

const { values } = parseArgs({ options: { checkout: { type: 'string' }, to: { type: 'string' } } })
const { checkout, to } = values
if (checkout === undefined || to === undefined) throw new Error('--checkout DIRECTORY and --to DIRECTORY are wanted')
const data = await mkdtemp(join(tmpdir(), 'quarry-old-'))
const file = join(data, 'quarry.db')
try {
  const { people, answered } = await makeContents(new OldQuarry(checkout, data))
  const indexes = compact()
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'quarry.db.br'), brotliCompressSync(await readFile(file)))
  await writeFile(join(to, 'people.json'), `${JSON.stringify(people, null, 2)}\n`)
  const lines = answered.map((each) => `${JSON.stringify(each)}\n`).join('')
  await writeFile(join(to, 'answers.ndjson.br'), brotliCompressSync(lines))
  console.log(`${answered.length} questions; indexes over condition and order: ${indexes.join(', ')}`)
} finally {
  await rm(data, { recursive: true, force: true })
}

async function makeContents(quarry: OldQuarry) {
  const createUser = (name: string) =>
    quarry.run(['user', 'create', name, '--email', `${name}@example.org`, '--password-stdin'], `${PASSWORD}\n`)
  const createToken = async (user: string, ...flags: string[]) =>
    JSON.parse(await quarry.run(['token', 'create', '--user', user, '--json', ...flags])) as Record<string, string>
  for (const name of ['ada', 'bob', 'eve']) await createUser(name)
  await quarry.run(['organization', 'create', 'lab', '--owner', 'ada'])
  await quarry.run(['organization', 'add', 'lab', 'bob', '--role', 'administrator'])
  const people: People = {
    ada: await createToken('ada', '--name', 'notebook'),
    bob: await createToken('bob', '--name', 'cluster', '--expires', '10y'),
    lab: await createToken('ada', '--account', 'lab'),
    reader: await createToken('ada', '--read-only'),
    disabled: await createToken('eve'),
  }
  await quarry.run(['user', 'disable', 'eve'])
  const server = await quarry.serve(['--response-cache-mb', '0', '--page-cache-mb', '0'])
  try {
    const writer = (name: string) => new Sender(server.origin, people[name] ?? {})
    const ids = await fill({ ada: writer('ada'), bob: writer('bob'), lab: writer('lab') })
    await demandIndexes(writer('ada'))
    const answered = []
    for (const question of questionsOn(ids)) {
      answered.push({ question, answer: await ask(server.origin, people, question) })
    }
    return { people, answered }
  } finally {
    await server.stop()
  }
}

/** Asks each of the lists again and again until all of them have their index. */
async function demandIndexes(as: Sender): Promise<void> {
  for (const { query, sort } of DEMANDED) {
    const body = { query, projection: { sort, limit: 5, skip: 20, fields: { name: 1 } } }
    const explain = () => as.send<{ order: string | null }>('POST', '/materials/search', { ...body, explain: true })
    for (let asked = 0; (await explain()).order === null; asked += REPEATS_AT_ONCE) {
      if (asked > MOST_REPEATS) throw new Error(`no index was made for ${JSON.stringify(body)}`)
      for (let i = 0; i < REPEATS_AT_ONCE; i += 1) await as.send('POST', '/materials/search', body)
    }
  }
}

/** Takes the write-ahead log into the file, and what was deleted out of it; gives the indexes over condition and order. */
function compact(): string[] {
  const database = new Database(file)
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
    return database.prepare<[], string>("SELECT path || ' by ' || sort || ' ' || state FROM compound").pluck().all()
  } finally {
    database.close()
  }
}
