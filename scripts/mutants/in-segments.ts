import type { Mutant } from './mutant.ts'

const GATHERED = 'src/store/segments/gather-segments.ts'
const MERGED = 'src/store/segments/merge-content.ts'
const BACKLOG = 'src/store/sqlite/write/work-off-backlog.ts'
const MERGE = 'src/store/sqlite/segments/merge-segments.ts'
const ROWS = 'src/store/sqlite/segments/segment-rows.ts'
const RUN = 'src/store/sqlite/write/run-batch.ts'
const SEAL = 'src/store/sqlite/segments/seal.ts'

const TOGETHER = { tests: ['test/store/inserted-together.test.ts'] }

const A_HOME = { tests: ['test/store/segments.test.ts'], named: '^a home ' }
const A_SEGMENT = { tests: ['test/store/segments.test.ts'], named: '^a segment' }

/** Mistakes where tails are sealed and segments merged. */
export const SEGMENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'merging disturbs the quiet that it waits for',
    file: 'src/store/sqlite/tending.ts',
    find: "    if (kind === 'merge' || kind === 'seal') return\n",
    replace: '',
    tests: ['test/store/tending.test.ts'],
  },
  {
    name: 'what was inserted together does not tell that the layout of its home is another one',
    file: SEAL,
    find: 'noteLayout.run(shelf.home)\n',
    replace: '',
    ...TOGETHER,
  },
  {
    name: 'few records that were inserted together come into no tail',
    file: SEAL,
    find: 'tail.add(shelf, n)\n',
    replace: '',
    ...TOGETHER,
  },
  {
    name: 'few records that were inserted together are not looked at',
    file: SEAL,
    find: '        parseDocument(doc)\n        tail',
    replace: '        tail',
    ...TOGETHER,
  },
  {
    name: 'one more record has to be inserted together to be a segment',
    file: SEAL,
    find: 'records.length >= insertedTogether',
    replace: 'records.length > insertedTogether',
    ...TOGETHER,
  },
  {
    name: 'sealing does not bury the rows of older segments',
    file: GATHERED,
    find: 'if (row >= 0) setBit(dead, row)',
    replace: 'if (row > segment.numbers.length) setBit(dead, row)',
    ...A_SEGMENT,
  },
  {
    name: 'sealing does not bury the first row of a segment',
    file: GATHERED,
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
    find: "if (left === 'none') writer.remove(segment.number)\n      else if (left !== null)",
    replace: "if (left !== null && left !== 'none')",
    ...A_SEGMENT,
  },
  {
    name: 'a tail that is full is not sealed',
    file: RUN,
    find: 'tails.count(shelf) >= segmentSizes.tailRows',
    replace: 'tails.count(shelf) > segmentSizes.tailRows',
    ...A_SEGMENT,
  },
  {
    name: 'a segment whose last row is replaced is not found',
    file: ROWS,
    find: 'AND first_n <= ? AND last_n >= ?',
    replace: 'AND first_n <= ? AND last_n > ?',
    ...A_SEGMENT,
  },
  {
    name: 'the last row that was taken over is taken over again',
    file: BACKLOG,
    find: 'scope = ? AND n > ? AND n <= ? ORDER',
    replace: 'scope = ? AND n >= ? AND n <= ? ORDER',
    ...A_SEGMENT,
  },
  {
    name: 'taking over does not tell that the layout of a home is another one',
    file: BACKLOG,
    find: '    noteLayout.run(home)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'merging takes up dead rows again',
    file: MERGED,
    find: 'if (!hasBit(dead, row)) places.push(',
    replace: 'places.push(',
    ...A_SEGMENT,
  },
  {
    name: 'merged rows stand in the order of their segments',
    file: MERGED,
    find: '  places.sort((a, b) => a.n - b.n)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'a row between a full segment and the rest is lost',
    file: MERGED,
    find: 'from += MOST_ROWS)',
    replace: 'from += MOST_ROWS + 1)',
    ...A_SEGMENT,
  },
  {
    name: 'a full segment has one row less than it could',
    file: MERGED,
    find: 'places.slice(from, from + MOST_ROWS)',
    replace: 'places.slice(from, from + MOST_ROWS - 1)',
    ...A_SEGMENT,
  },
  {
    name: 'rows that died while segments were merged live again',
    file: MERGED,
    find: 'if (hasBit(segment.dead, row)) setBit(dead, at)',
    replace: 'if (hasBit(segment.dead, row)) setBit(dead, row)',
    ...A_SEGMENT,
  },
  {
    name: 'the place of a merged row is taken for its row',
    file: MERGED,
    find: 'if (hasBit(segment.dead, row)) setBit(dead, at)',
    replace: 'if (hasBit(segment.dead, at)) setBit(dead, at)',
    ...A_SEGMENT,
  },
  {
    name: 'a merge is written though one of its segments has gone',
    file: MERGE,
    find: 'if (segments.length < merged.of.length) return false',
    replace: 'if (segments.length === 0) return false',
    ...A_SEGMENT,
  },
  {
    name: 'segments stay beside what was merged of them',
    file: MERGE,
    find: '    for (const number of merged.of) writer.remove(number)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'merging does not tell that the layout of a home is another one',
    file: MERGE,
    find: '    noteLayout.run(home)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'segments of several homes are merged',
    file: MERGE,
    find: '`${home}/${collection}`',
    replace: '`${collection}`',
    ...A_HOME,
  },
  {
    name: 'segments of several collections are merged',
    file: MERGE,
    find: '`${home}/${collection}`',
    replace: '`${home}`',
    ...A_SEGMENT,
  },
  {
    name: 'the segments of the last shelf are not merged',
    file: MERGE,
    find: '    return segmentsToMerge(shelf, policy, bytesOf)\n',
    replace: '    return []\n',
    ...A_SEGMENT,
  },
  {
    name: 'bytes of merged segments are not counted',
    file: MERGED,
    find: 'return bytes <= most',
    replace: 'return true',
    ...A_SEGMENT,
  },
  {
    name: 'a segment of dead rows is not made anew',
    file: MERGED,
    find: 'deadRows > MOST_DEAD * rows',
    replace: 'deadRows > rows',
    ...A_SEGMENT,
  },
  {
    name: 'full segments are merged again and again',
    file: MERGED,
    find: 'segments.filter(({ rows }) => rows <= full)',
    replace: '[...segments]',
    ...A_SEGMENT,
  },
  {
    name: 'a segment with twice the rows of all smaller ones is not merged in quiet',
    file: MERGED,
    find: 'smaller >= patience * rows',
    replace: 'smaller > patience * rows',
    ...A_SEGMENT,
  },
  {
    name: 'segments are merged into more than one while others write',
    file: MERGED,
    find: 'if (smaller + rows > most || at === MOST_MERGED) break',
    replace: 'if (at === MOST_MERGED) break',
    ...A_SEGMENT,
  },
  {
    name: 'more segments are merged than have a number',
    file: MERGED,
    find: '|| at === MOST_MERGED) break',
    replace: '|| at > MOST_MERGED) break',
    ...A_SEGMENT,
  },
]
