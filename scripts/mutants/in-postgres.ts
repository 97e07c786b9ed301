import type { Mutant } from './mutant.ts'

const HOMES = 'src/store/postgres/read/homes.ts'
const COMMITS = 'src/store/postgres/write/commits.ts'
const SEAL = 'src/store/postgres/write/seal.ts'
const MERGE = 'src/store/postgres/write/merge.ts'
const BATCH = 'src/store/postgres/write/run-batch.ts'
const LOADED = 'src/store/postgres/write/loaded-records.ts'
const COPIES = 'src/store/postgres/read/copies.ts'

const PROCESSES = { tests: ['test/store/postgres.test.ts'] }
const TRIPS = { tests: ['test/store/postgres-round-trips.test.ts'] }
const COMMIT_TESTS = { tests: ['test/store/postgres-commits.test.ts'] }
const BATCHES = { tests: ['test/store/postgres-batches.test.ts'] }
const SEGMENTS = { tests: ['test/store/postgres-segments.test.ts'] }
const COPY_TESTS = { tests: ['test/store/postgres-copies.test.ts'] }
const PARALLEL = { tests: ['test/store/postgres-parallel-writes.test.ts'] }
const CONTRACT = { tests: ['test/contract/contract.test.ts'], project: 'postgres' }

/** Mistakes between processes that have one database open. */
export const POSTGRES_MUTANTS: readonly Mutant[] = [
  {
    name: 'a shelf is looked at again when its segments change, and not when its records do',
    file: 'src/store/postgres/read/shelves.ts',
    find: 'held.version === version && held.layout === layout',
    replace: 'held.layout === layout',
    ...PROCESSES,
  },
  {
    name: 'a home is not locked before numbers are drawn for it',
    file: 'src/store/postgres/write/load-records.ts',
    find: 'WHERE home = ${home} FOR UPDATE`',
    replace: 'WHERE home = ${home}`',
    ...PROCESSES,
  },
  {
    name: 'old rows go on living beside a segment that is made anew',
    file: 'src/store/postgres/write/remake-segments.ts',
    find: 'if (n > reached && n <= to) setBit(left, row)',
    replace: 'if (n > reached && n < to) setBit(left, row)',
    tests: ['test/store/postgres-reindex.test.ts'],
  },
  {
    name: 'segments that are made anew begin at the first one when it was interrupted',
    file: 'src/store/postgres/write/remake-segments.ts',
    find: 'order === 0 && marked !== null ? marked.reached : NONE',
    replace: 'NONE',
    tests: ['test/store/postgres-reindex.test.ts'],
  },
  {
    name: 'who asks since a moment is told what was asked before it',
    file: HOMES,
    find: 'if (at > from && names.every',
    replace: 'if (names.every',
    ...TRIPS,
  },
  {
    name: 'a process does not see what it has written itself since a moment before',
    file: HOMES,
    find: 'Math.max(since, this.#writtenAt)',
    replace: 'since',
    ...TRIPS,
  },
  {
    name: 'a question about homes that has failed is the answer for all who asked since',
    file: HOMES,
    find: '    for (const answer of new Set(asked.answers.values())) answer.catch(drop)\n',
    replace: '    void drop\n',
    ...TRIPS,
  },
  {
    name: 'a commit that was lost is taken for the one before it',
    file: COMMITS,
    find: 'const count = ++this.#count',
    replace: 'const count = this.#count + 1',
    ...COMMIT_TESTS,
  },
  {
    name: 'a transaction that has lost against another one is not tried again',
    file: COMMITS,
    find: 'if (!isLost(error) && !isCutOff(error)) throw error',
    replace: 'if (!isCutOff(error)) throw error',
    ...PARALLEL,
  },
  {
    name: 'what a process has noted of its commits goes with the next commit of another one',
    file: COMMITS,
    find: " AND at < now() - interval '1 day'`",
    replace: '`',
    ...COMMIT_TESTS,
  },
  {
    name: 'what processes have noted that are gone stays for ever',
    file: COMMITS,
    find: "interval '1 day'",
    replace: "interval '100 years'",
    ...COMMIT_TESTS,
  },
  {
    name: 'the last row of a segment stays alive when the tail that replaces it is sealed',
    file: SEAL,
    find: 'AND last_n >= ${numbers[0] as number}`',
    replace: 'AND last_n > ${numbers[0] as number}`',
    ...SEGMENTS,
  },
  {
    name: 'the first row of a segment stays alive when the tail that replaces it is sealed',
    file: SEAL,
    find: 'AND first_n <= ${numbers.at(-1) as number}',
    replace: 'AND first_n < ${numbers.at(-1) as number}',
    ...SEGMENTS,
  },
  {
    name: 'nobody is told of a tail that was sealed',
    file: SEAL,
    find: '    sql`UPDATE home SET layout = layout + 1 WHERE home = ${home}`,\n',
    replace: '',
    ...SEGMENTS,
  },
  {
    name: 'a tail that was sealed stays beside its segment',
    file: SEAL,
    find: '    sql`DELETE FROM tail WHERE home = ${home} AND collection = ${collection}`,\n',
    replace: '',
    ...SEGMENTS,
  },
  {
    name: 'segments that another process has merged are merged once more',
    file: MERGE,
    find: '    if (present.length < merged.of.length) return\n',
    replace: '',
    ...SEGMENTS,
  },
  {
    name: 'nobody is told of segments that were merged',
    file: MERGE,
    find: '    await transaction`UPDATE home SET layout = layout + 1 WHERE home = ${shelf.home}`\n',
    replace: '',
    ...SEGMENTS,
  },
  {
    name: 'other processes do not look for segments that were inserted as such',
    file: BATCH,
    find: 'sealed.some(({ shelf }) => shelf.home === home) ? 1 : 0',
    replace: '0',
    ...SEGMENTS,
  },
  {
    name: 'of changes that are made all or none some stay',
    file: BATCH,
    find: "outcome !== 'done')) {\n        rows.takeBack()\n",
    replace: "outcome !== 'done')) {\n",
    ...BATCHES,
  },
  {
    name: 'what changes have done is taken back from the first one on',
    file: LOADED,
    find: 'for (const undo of this.#undo.reverse()) undo()',
    replace: 'for (const undo of this.#undo) undo()',
    ...BATCHES,
  },
  {
    name: 'one write that the database refuses is the end of those that came with it',
    file: 'src/store/postgres/write/record-writes.ts',
    find: 'if (batch.length > 1 && !isUnreachable(error)',
    replace: 'if (batch.length < 1 && !isUnreachable(error)',
    ...BATCHES,
  },
  {
    name: 'homes are locked in the order in which changes name them',
    file: BATCH,
    find: '[...new Set(jobs.flatMap(homesOfJob))].sort()',
    replace: '[...new Set(jobs.flatMap(homesOfJob))]',
    ...PARALLEL,
  },
  {
    name: 'a record keeps one earlier version more than it may',
    file: 'src/store/postgres/write/write-records.ts',
    find: 'OFFSET ${most} LIMIT 1',
    replace: 'OFFSET ${most + 1} LIMIT 1',
    ...CONTRACT,
    named: 'versions|history',
  },
  {
    name: 'a home keeps as many answers as its requests have',
    file: 'src/store/postgres/write/kept-answers.ts',
    find: 'place > ${place - MOST_ANSWERS}',
    replace: 'place > 0',
    tests: ['test/store/postgres-answers.test.ts'],
  },
  {
    name: 'answers of a home that are older than a day stay where they are',
    file: 'src/store/postgres/write/kept-answers.ts',
    find: ' AND at > ${at - ANSWERS_KEPT_MS} ORDER BY place LIMIT 1',
    replace: ' ORDER BY place LIMIT 1',
    tests: ['test/store/postgres-answers.test.ts'],
  },
  {
    name: 'a replica that could not be reached once is left alone for ever',
    file: COPIES,
    find: '+ LEFT_ALONE_MS',
    replace: '+ Number.POSITIVE_INFINITY',
    ...COPY_TESTS,
  },
  {
    name: 'a replica that cannot be reached is tried at every question',
    file: COPIES,
    find: '+ LEFT_ALONE_MS',
    replace: '- LEFT_ALONE_MS',
    ...COPY_TESTS,
  },
  {
    name: 'a replica that is behind is read from',
    file: COPIES,
    find: 'return isBehind ? null : await read(replica)',
    replace: 'return await read(replica)',
    ...COPY_TESTS,
  },
]
