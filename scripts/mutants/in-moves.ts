import type { Mutant } from './mutant.ts'

const MOVES = { tests: ['test/store/move-rows.test.ts'] }

/** Mistakes in what moves rows from one store to another. */
export const MOVE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a move that was interrupted puts rows again that are there',
    file: 'src/store/mover/move-rows.ts',
    find: 'kind === place.kind ? place.after : null',
    replace: 'null',
    ...MOVES,
  },
  {
    name: 'a store is opened that does not have the rows of its source',
    file: 'src/store/mover/move-rows.ts',
    find: 'if (differences.length === 0) return expected',
    replace: 'return expected',
    ...MOVES,
  },
  {
    name: 'a move goes on though its source has been written to since',
    file: 'src/store/mover/move-rows.ts',
    find: 'if (place.state === state) return',
    replace: 'if (place.state !== null) return',
    ...MOVES,
  },
  {
    name: 'a database is opened that has a part of the rows',
    file: 'src/store/postgres/open-postgres-store.ts',
    find: '    await assertMoved(sql)\n',
    replace: '',
    ...MOVES,
  },
  {
    name: 'the number of a record that was erased is given to another after a move',
    file: 'src/store/postgres/rows/put-rows.ts',
    find: '${Math.max(1, last)}, ${last > 0}',
    replace: '${Math.max(1, last - 1)}, ${last > 0}',
    ...MOVES,
  },
]
