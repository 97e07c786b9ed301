import type { Mutant } from './mutant.ts'

const SEAL = 'src/store/sqlite/segments/seal-tail.ts'

const A_HOME = { tests: ['test/store/segments.test.ts'], named: '^a home ' }
const A_SEGMENT = { tests: ['test/store/segments.test.ts'], named: '^a segment' }

/** Mistakes where tails are sealed and segments merged. */
export const SEGMENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'sealing does not bury the rows of older segments',
    file: SEAL,
    find: 'if (row >= 0) setBit(dead, row)',
    replace: 'if (row > segment.numbers.length) setBit(dead, row)',
    ...A_SEGMENT,
  },
  {
    name: 'sealing does not bury the first row of a segment',
    file: SEAL,
    find: 'if (row >= 0) setBit(dead, row)',
    replace: 'if (row > 0) setBit(dead, row)',
    ...A_SEGMENT,
  },
  {
    name: 'sealing looks for rows to bury from the second number on',
    file: SEAL,
    find: 'segments.around(shelf, numbers[0] as number,',
    replace: 'segments.around(shelf, numbers[1] as number,',
    ...A_SEGMENT,
  },
  {
    name: 'sealing leaves the tail as it is',
    file: SEAL,
    find: 'drop.run(home, collection, list)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'sealing does not tell that the layout of a home is another one',
    file: SEAL,
    find: 'noteLayout.run(home)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'sealing takes the last of what an older version left behind',
    file: SEAL,
    find: 'n <= open.reached || n > open.last',
    replace: 'n <= open.reached || n >= open.last',
    ...A_SEGMENT,
  },
  {
    name: 'sealing takes what an older version left behind',
    file: SEAL,
    find: 'open === undefined ? all : all.filter(',
    replace: 'open !== undefined ? all : all.filter(',
    ...A_SEGMENT,
  },
  {
    name: 'sealing takes the records of every home',
    file: SEAL,
    find: 'AND scope = ? AND collection = ? ORDER BY n`',
    replace: 'AND ? >= 0 AND collection = ? ORDER BY n`',
    ...A_HOME,
  },
  {
    name: 'a segment all of whose rows are dead stays',
    file: SEAL,
    find: 'if (deadRows === segment.numbers.length) writer.remove(segment.number)\n      else if',
    replace: 'if',
    ...A_SEGMENT,
  },
]
