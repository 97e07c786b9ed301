/**
 * Lets a release of Quarry write a small database and answer questions over it, for the test that opens such a file with what comes after it.
 *
 *     git worktree add --detach /tmp/release v0.1.0 && (cd /tmp/release && npm ci && npm run build)
 *     npx tsx scripts/release-fixture.ts --checkout /tmp/release --to test/fixtures/first-release
 *
 * The release's own command and HTTP API do all of it. Ids and tokens are new each time.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { ask, type People } from '../test/support/questions.ts'
import { fill } from './release-fixture/contents.ts'
import { questionsOn } from './release-fixture/questions.ts'
import { ReleasedQuarry, Sender } from './release-fixture/released-quarry.ts'

const PASSWORD = 'correct horse battery'

const { values } = parseArgs({ options: { checkout: { type: 'string' }, to: { type: 'string' } } })
const { checkout, to } = values
if (checkout === undefined || to === undefined) throw new Error('--checkout DIRECTORY and --to DIRECTORY are wanted')
const data = await mkdtemp(join(tmpdir(), 'quarry-old-'))
const file = join(data, 'quarry.db')
try {
  const { people, answered } = await makeContents(new ReleasedQuarry(checkout, data))
  compact()
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'quarry.db.br'), brotliCompressSync(await readFile(file)))
  await writeFile(join(to, 'people.json'), `${JSON.stringify(people, null, 2)}\n`)
  const lines = answered.map((each) => `${JSON.stringify(each)}\n`).join('')
  await writeFile(join(to, 'answers.ndjson.br'), brotliCompressSync(lines))
  console.log(`${answered.length} questions`)
} finally {
  await rm(data, { recursive: true, force: true })
}

async function makeContents(quarry: ReleasedQuarry) {
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
  const server = await quarry.serve(['--response-cache-mb', '0'])
  try {
    const writer = (name: string) => new Sender(server.origin, people[name] ?? {})
    const ids = await fill({ ada: writer('ada'), bob: writer('bob'), lab: writer('lab') })
    const answered = []
    for (const question of questionsOn(ids)) {
      answered.push({ question, answer: await ask(server.origin, people, question) })
    }
    return { people, answered }
  } finally {
    await server.stop()
  }
}

/** Takes the write-ahead log into the file, and what was deleted out of it. */
function compact(): void {
  const database = new Database(file)
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
