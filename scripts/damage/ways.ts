import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { PAGE, pagesOf, patch } from '../../test/support/damage.ts'
import type { Random } from '../fuzz/random.ts'
import type { Originals } from './originals.ts'

/** What there is to damage: a copy of its own. */
export interface Victim {
  readonly file: string
  readonly originals: { readonly [Name in keyof Originals]: string }
  readonly random: Random
}

/** One way in which data come to harm. */
export interface Way {
  readonly name: string
  /** Which of the originals it happens to. */
  readonly from: keyof Originals
  /** Does it, and tells what was done. */
  readonly damage: (victim: Victim) => string
}

const LOG_HEADER = 32
const FRAME = PAGE + 24

const RECORD_TABLES = ['record', 'revision', 'removed']
/** Nothing proves of their rows that they are what was written; of the others, their indexes or the records do. */
const UNGUARDED = ['user', 'account', 'membership', 'token', 'known_address', 'login_meter', 'audit']
/** The questions that their rows answer. */
export const UNGUARDED_QUESTIONS = ['users', 'accounts', 'members', 'tokens', 'log-ins', 'names', 'audit']
const TABLES = [
  ...RECORD_TABLES,
  ...['segment', 'chunk', 'chunk', 'tail', 'home', 'collection', 'owner', 'mark', 'migration'],
  ...UNGUARDED,
]
const INDEXES = [
  'record_id',
  'record_scope',
  'segment_home',
  'membership_account',
  'token_user',
  'token_account',
  'login_meter_end',
]

/** All of them, in the order in which they take turns. */
export const WAYS: readonly Way[] = [
  {
    name: 'torn page',
    from: 'stopped',
    damage: ({ file, originals, random }) => {
      const { older, page } = changedPage({ file, originals, random })
      const sectors = 1 + random.integer(PAGE / 512 - 1)
      patch(file, (bytes) =>
        older.copy(bytes, page * PAGE + sectors * 512, page * PAGE + sectors * 512, (page + 1) * PAGE),
      )
      return `page ${page + 1} has its first ${sectors} sectors, and an older rest`
    },
  },
  {
    name: 'flipped bits',
    from: 'stopped',
    damage: ({ file, random }) => {
      const places = Array.from({ length: 1 + random.integer(3) }, () => random.integer(statSync(file).size))
      patch(file, (bytes) => {
        for (const at of places) flipBit(bytes, at, random)
      })
      return `a bit in each of the bytes ${places.join(', ')}`
    },
  },
  { name: 'damaged table', from: 'stopped', damage: (victim) => flipWithin(victim, TABLES) },
  {
    name: 'truncated file',
    from: 'stopped',
    damage: ({ file, random }) => {
      const size = random.chance(0.5)
        ? random.integer(statSync(file).size)
        : (1 + random.integer(statSync(file).size / PAGE - 1)) * PAGE
      truncateSync(file, size)
      return `cut to ${size} bytes`
    },
  },
  {
    name: 'zeroed page',
    from: 'stopped',
    damage: ({ file, random }) => {
      const page = random.integer(statSync(file).size / PAGE)
      patch(file, (bytes) => bytes.fill(0, page * PAGE, (page + 1) * PAGE))
      return `page ${page + 1} has zeros`
    },
  },
  { name: 'damaged row of a checksum', from: 'stopped', damage: damageRow },
  {
    name: 'exchanged pages',
    from: 'stopped',
    damage: ({ file, random }) => {
      const pages = statSync(file).size / PAGE
      const one = random.integer(pages)
      const other = (one + 1 + random.integer(pages - 1)) % pages
      patch(file, (bytes) => {
        const kept = Buffer.from(pageOf(bytes, one))
        bytes.copy(bytes, one * PAGE, other * PAGE, (other + 1) * PAGE)
        kept.copy(bytes, other * PAGE)
      })
      return `pages ${one + 1} and ${other + 1} have changed places`
    },
  },
  {
    name: 'lost log',
    from: 'killed',
    damage: ({ file }) => {
      rmSync(`${file}-wal`)
      return 'the log is gone, the index of it is there'
    },
  },
  {
    name: 'stale log',
    from: 'stopped',
    damage: ({ file, originals, random }) => {
      writeFileSync(`${file}-wal`, readFileSync(`${originals.killedEarlier}-wal`))
      const withIndex = random.chance(0.5)
      if (withIndex) writeFileSync(`${file}-shm`, readFileSync(`${originals.killedEarlier}-shm`))
      return `an older log ${withIndex ? 'and its index ' : ''}beside a newer file`
    },
  },
  {
    name: 'stale file',
    from: 'killed',
    damage: ({ file, originals }) => {
      writeFileSync(file, readFileSync(originals.earlier))
      return 'an older file beside a newer log'
    },
  },
  {
    name: 'damaged log',
    from: 'killed',
    damage: ({ file, random }) => {
      const at = random.integer(statSync(`${file}-wal`).size)
      patch(`${file}-wal`, (bytes) => flipBit(bytes, at, random))
      return `a bit of byte ${at} of the log`
    },
  },
  {
    name: 'truncated log',
    from: 'killed',
    damage: ({ file, random }) => {
      const frames = Math.floor((statSync(`${file}-wal`).size - LOG_HEADER) / FRAME)
      const size = LOG_HEADER + random.integer(frames) * FRAME + random.integer(2) * random.integer(FRAME)
      truncateSync(`${file}-wal`, size)
      return `the log cut to ${size} bytes, the index of it is there`
    },
  },
  {
    name: 'damaged index of the log',
    from: 'killed',
    damage: ({ file, random }) => {
      if (random.chance(0.3)) {
        rmSync(`${file}-shm`)
        return 'the index of the log is gone'
      }
      const at = random.integer(200)
      patch(`${file}-shm`, (bytes) => flipBit(bytes, at, random))
      return `a bit of byte ${at} of the index of the log`
    },
  },
  {
    name: 'deleted file',
    from: 'killed',
    damage: ({ file, random }) => {
      if (random.chance(0.5)) rmSync(file)
      else renameSync(file, `${file}.old`)
      return 'the database is gone, its log is there'
    },
  },
  {
    name: 'wrong header',
    from: 'stopped',
    damage: ({ file, random }) => {
      const at = random.integer(100)
      patch(file, (bytes) => flipBit(bytes, at, random))
      return `a bit of byte ${at}`
    },
  },
  { name: 'damaged index', from: 'stopped', damage: (victim) => flipWithin(victim, INDEXES) },
  { name: 'wrong segment, tail or count', from: 'stopped', damage: damageDerived },
  {
    name: 'overwritten file',
    from: 'stopped',
    damage: ({ file, random }) => {
      const bytes = readFileSync(file)
      const content = random.pick([
        Buffer.alloc(0),
        random.bytes(10_000),
        Buffer.from('a text\n'.repeat(1000)),
        gzipSync(bytes),
        Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
        Buffer.from(bytes.toString('utf8')),
      ])
      writeFileSync(file, content)
      return `${content.length} bytes that begin with ${JSON.stringify(content.toString('latin1', 0, 12))}`
    },
  },
  {
    name: 'sectors of zeros',
    from: 'stopped',
    damage: ({ file, random }) => {
      const sectors = statSync(file).size / 512
      const from = random.integer(sectors)
      const count = 1 + random.integer(64)
      patch(file, (bytes) => bytes.fill(0, from * 512, Math.min(bytes.length, (from + count) * 512)))
      return `${count} sectors from ${from} on have zeros`
    },
  },
  {
    name: 'older page',
    from: 'stopped',
    damage: ({ file, originals, random }) => {
      const { older, page } = changedPage({ file, originals, random })
      patch(file, (bytes) => older.copy(bytes, page * PAGE, page * PAGE, (page + 1) * PAGE))
      return `page ${page + 1} is as it was before: a write that did not reach the disk`
    },
  },
]

const pageOf = (bytes: Buffer, index: number) => bytes.subarray(index * PAGE, (index + 1) * PAGE)

function flipBit(bytes: Buffer, at: number, random: Random): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.integer(8)), at)
}

/** Flips bits where a page of a table or index has content. */
function flipWithin({ file, random }: Victim, names: readonly string[]): string {
  const name = random.pick(names)
  const pages = pagesOf(file, name)
  const page = random.pick(pages)
  const begin = (page - 1) * PAGE
  let places: number[] = []
  patch(file, (bytes) => {
    const content = bytes.readUInt16BE(begin + 5) || PAGE
    places = Array.from({ length: 1 + random.integer(3) }, () => content + random.integer(Math.max(1, PAGE - content)))
    for (const at of places) flipBit(bytes, Math.min(begin + at, begin + PAGE - 1), random)
  })
  return `${name}, page ${page}: a bit in each of its bytes ${places.join(', ')}`
}

/** Changes a row that has a checksum, or its checksum, past everything that writes checksums. */
function damageRow({ file, random }: Victim): string {
  const table = random.pick(RECORD_TABLES)
  const change = random.pick([
    'checksum = checksum + 1',
    `doc = replace(doc, 'a', 'b')`,
    ...(table === 'revision' ? ['version = version + 50'] : ['version = version + 1', `owner = owner % 3 + 1`]),
    ...(table === 'record' ? ['scope = owner - scope'] : [`note = 'another'`]),
  ])
  return alter(
    file,
    `UPDATE ${table} SET ${change} WHERE rowid = (SELECT rowid FROM ${table} LIMIT 1 OFFSET ${random.integer(50)})`,
  )
}

/** Changes or removes what is derived from records, as a fault of a program would. */
function damageDerived({ file, random }: Victim): string {
  const row = (table: string, key: string, among = 20) =>
    `(${key}) IN (SELECT ${key} FROM ${table} LIMIT 1 OFFSET ${random.integer(among)})`
  return alter(
    file,
    random.pick([
      `DELETE FROM chunk WHERE ${row('chunk', 'segment, number')}`,
      `UPDATE chunk SET bytes = zeroblob(length(bytes)) WHERE ${row('chunk', 'segment, number')}`,
      `UPDATE segment SET dead = zeroblob(length(dead)) WHERE number = (SELECT max(number) FROM segment WHERE dead_rows > 0)`,
      `UPDATE segment SET catalog = '{"columns":[],"bundles":[]}' WHERE ${row('segment', 'number', 3)}`,
      `UPDATE segment SET last_n = last_n - 1 WHERE ${row('segment', 'number', 3)}`,
      `UPDATE segment SET home = home + 1 WHERE ${row('segment', 'number', 3)}`,
      `DELETE FROM tail WHERE ${row('tail', 'home, collection, stamp, n')}`,
      `UPDATE tail SET stamp = stamp + 100 WHERE ${row('tail', 'home, collection, stamp, n')}`,
      `DELETE FROM home WHERE ${row('home', 'number', 3)}`,
      `UPDATE collection SET records = records + 1 WHERE ${row('collection', 'number', 2)}`,
      `DELETE FROM record WHERE ${row('record', 'n')}`,
    ]),
  )
}

function alter(file: string, statement: string): string {
  const connection = new Database(file)
  try {
    connection.pragma('foreign_keys = OFF')
    const { changes } = connection.prepare(statement).run()
    if (changes === 0) throw new Error(`nothing was damaged by ${statement}`)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    return statement
  } finally {
    connection.close()
  }
}

/** A page that was written anew since the earlier original, and that original. */
function changedPage({ file, originals, random }: Parameters<Way['damage']>[0]): { older: Buffer; page: number } {
  const older = readFileSync(originals.earlier)
  const newer = readFileSync(file)
  const pages = Math.min(older.length, newer.length) / PAGE
  const changed = Array.from({ length: pages }, (_, i) => i).filter((i) => !pageOf(older, i).equals(pageOf(newer, i)))
  return { older, page: random.pick(changed) }
}
