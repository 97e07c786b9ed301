/**
 * Measures how long a server stands still. Fills a data directory with the documents of the benchmark, in as many accounts as asked for, starts a server
 * on it, reads one record every 50 ms, and writes one every few seconds, while the server does all that it does by itself: merging, sealing, symmetry,
 * audit. Tells the longest answers, the turns of the event loop that were too long, and the memory.
 *
 *     npm run build && npx tsx scripts/stall.ts --documents 100000 --accounts 202 --minutes 15
 *     npx tsx scripts/stall.ts --documents 200000 --accounts 2000 --spread even
 *
 * `--spread bench`: one account has half of the documents; `--spread even`: all have as many. Exit code 1: an answer took more than 50 ms, the
 * memory was above 400 MB, or less was measured than was asked for. On a machine that does nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../test/cli/server-process.ts'
import { conclude, wholeNumber } from './measured.ts'
import { fillAccounts } from './stall/fill-accounts.ts'
import { residentMegabytes } from './stall/resident.ts'
import { SteadyReader } from './stall/steady-reader.ts'

const LONGEST_MS = 50
const MOST_MEGABYTES = 400
const READ_EVERY_MS = 50
/** Answers that are told one by one. */
const SHOWN = 10

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '202' },
    spread: { type: 'string', default: 'bench' },
    minutes: { type: 'string', default: '15' },
    data: { type: 'string' },
  },
})
const minutes = wholeNumber('minutes', values.minutes)
const documents = wholeNumber('documents', values.documents)
const accounts = wholeNumber('accounts', values.accounts)
const directory = await mkdtemp(join(tmpdir(), 'quarry-stall-'))
try {
  process.exitCode = await run()
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function run(): Promise<0 | 1> {
  const data = values.data ?? join(directory, 'data')
  const filled = await fillAccounts(data, {
    documents,
    accounts,
    isEven: values.spread === 'even',
  })
  console.log(`${documents} documents in ${accounts} accounts`)
  const server = await startServer(data, ['--no-samples'])
  const atStart = residentMegabytes(server.pid)
  try {
    const reader = new SteadyReader(server.url, filled)
    const first = await reader.firstUse()
    const times = await reader.read(minutes * 60_000, READ_EVERY_MS)
    const { now, peak } = residentMegabytes(server.pid)
    const longest = times.toSorted((a, b) => b.took - a.took).slice(0, SHOWN)
    const slow = times.filter(({ took }) => took > LONGEST_MS)
    const told = server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"turn.too-long"'))
    console.log(`first list ${first.list.toFixed(0)} ms, first use of a field ${first.field.toFixed(0)} ms`)
    console.log(`${times.length} reads, of which ${slow.length} took more than ${LONGEST_MS} ms; the longest:`)
    for (const { at, took, what } of longest)
      console.log(`  ${took.toFixed(1)} ms at ${(at / 1000).toFixed(1)} s: ${what}`)
    console.log(`turns of the event loop of more than 50 ms: ${told.length}`)
    for (const line of told.slice(0, SHOWN)) console.log(`  ${line}`)
    console.log(`resident: ${atStart.now} MB after the start, ${peak} MB at the most, ${now} MB at the end`)
    const isFine = slow.length === 0 && peak <= MOST_MEGABYTES
    return conclude(isFine, [{ what: 'reads', count: times.length, least: (0.8 * minutes * 60_000) / READ_EVERY_MS }])
  } finally {
    await server.stop()
  }
}
