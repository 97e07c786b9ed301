import type { Mutant } from './mutant.ts'

const PROCESSES = { tests: ['test/store/postgres.test.ts'] }

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
]
