import type { Mutant } from './mutant.ts'

const MERGE = 'src/engine/merge-columns.ts'
const PAGE = 'src/engine/find-page.ts'
const SOURCES = 'src/engine/page-source.ts'
const DOCUMENTS = 'src/engine/page-documents.ts'
const JUMP = 'src/engine/find-page.ts'
const ORDER = 'src/engine/segment-order.ts'
const TAIL = 'src/engine/tail-matches.ts'
const SHAPES = 'src/engine/gather-columns.ts'
const PLACES = 'src/engine/place-sums.ts'
const SORTED = 'src/engine/sort-rows.ts'
const IN_ORDER = 'src/engine/rows-in-order.ts'
const RANKS = 'src/engine/ranks.ts'
const VALUES = 'src/engine/value-dictionary.ts'
const ASK = 'src/engine/ask.ts'
const COUNT = 'src/engine/count-records.ts'
const SELECTION = 'src/engine/selection.ts'
const BACKLOG = 'src/store/sqlite/read/read-page.ts'

const MERGED = { tests: ['test/engine/merge.test.ts'] }
const PAGES = { tests: ['test/engine/page.test.ts'] }
const PROJECTIONS = { tests: ['test/engine/projection.test.ts'] }
const ORDERS = { tests: ['test/engine/order.test.ts'] }
const FILTERS = { tests: ['test/engine/filter.test.ts'] }
const MADE_ANEW = { tests: ['test/store/segments.test.ts'], named: '^a segment ' }

/** Mistakes in what is made of columns: merged ones, orders, pages. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  {
    name: 'the last value of a row is dropped when columns are merged',
    file: MERGE,
    find: 'entry < end; entry++) own[',
    replace: 'entry + 1 < end; entry++) own[',
    ...MERGED,
  },
  {
    name: 'the ordinals of a merged column begin as those of the old one did',
    file: MERGE,
    find: 'let base = hasNull ? 1 : 0',
    replace: 'let base = this.hasNull ? 1 : 0',
    ...MERGED,
  },
  {
    name: 'null that dead rows alone have had stays among the values',
    file: MERGE,
    find: 'this.hasNull = numbers > 0 && used[0] === 1',
    replace: 'this.hasNull = numbers > 0',
    ...MERGED,
  },
  {
    name: 'arrays of another depth are not odd in a merged column',
    file: MERGE,
    find: 'if (isOdd || column.depth !== this.#depth) odd.push(place)',
    replace: 'if (isOdd) odd.push(place)',
    ...MERGED,
  },
  {
    name: 'the kinds behind a new one do not move up',
    file: MERGE,
    find: '>= nested) map[ordinal]',
    replace: '> nested) map[ordinal]',
    ...MERGED,
  },
  {
    name: 'the next page begins anew among records with the same key',
    file: PAGE,
    find: 'const before = isSameKey ? after.numbers :',
    replace: 'const before = isSameKey && skip > 0 ? after.numbers :',
    ...PAGES,
  },
  {
    name: 'a cursor behind skipped records gives them again',
    file: PAGE,
    find: '(skip > 0 ? Math.max(n, last.n) : n)',
    replace: 'n',
    ...PAGES,
  },
  {
    name: 'the place in a home is that of its first record on the page',
    file: PAGE,
    find: '    if (passed.has(home)) continue\n',
    replace: '',
    ...PAGES,
  },
  {
    name: 'the place in a home is that of a record with another key',
    file: PAGE,
    find: '    if (compareSortKeys(keyAt(page, at), key, sort) !== 0) break\n',
    replace: '',
    ...PAGES,
  },
  {
    name: 'all homes have the place of the first one',
    file: PAGE,
    find: 'after.numbers[home] ?? -1',
    replace: 'after.numbers[0] ?? -1',
    ...PAGES,
  },
  {
    name: 'skipping jumps over rows of which nobody knows whether they match',
    file: PAGE,
    find: 'sources.every(({ isCertain }) => isCertain) ? jumpAhead',
    replace: 'sources.length > 0 ? jumpAhead',
    ...PAGES,
  },
  {
    name: 'rows whose place only documents tell are asked for when none matches',
    file: PAGE,
    find: 'unranked === null ? selection.may : difference(selection.may, unranked)',
    replace: 'selection.may',
    ...PAGES,
  },
  {
    name: 'records of equal keys come in whatever order',
    file: SOURCES,
    find: 'order || this.number - other.number || this.home - other.home',
    replace: 'order',
    ...PAGES,
  },
  {
    name: 'the right one of two last sources is never the next',
    file: SOURCES,
    find: 'left + 1 < length &&',
    replace: 'left + 2 < length &&',
    ...PAGES,
  },
  {
    name: 'rows that were looked at ahead are forgotten',
    file: SOURCES,
    find: '      this.rows = order.take(must === null ? most : AHEAD)\n',
    replace: '      this.rows = order.take(must === null ? most : AHEAD).slice(1)\n',
    ...PAGES,
  },
  {
    name: 'a record of the tail is given again on the next page',
    file: DOCUMENTS,
    find: '(after.numbers[record.home] ?? -1)) > 0',
    replace: '(after.numbers[record.home] ?? -1)) >= 0',
    ...PAGES,
  },
  {
    name: 'a row that columns cannot put into the order is not held against the filter',
    file: DOCUMENTS,
    find: 'if (!hasBit(selection.must, row) && !this.isMatch(document)) return',
    replace: 'if (!hasBit(selection.may, row) && !this.isMatch(document)) return',
    ...PAGES,
  },
  {
    name: 'records of the tail are not skipped with the others',
    file: JUMP,
    find: '  for (const source of loose) source.at = looseBefore(source, milestone)\n',
    replace: '',
    ...PAGES,
  },
  {
    name: 'a record of a tail keeps its verdict when another has its number',
    file: TAIL,
    find: 'sorted.get(record) ?? sortedRecord(record, sort)',
    replace: '[...sorted.values()].find((one) => one.record.n === record.n) ?? sortedRecord(record, sort)',
    tests: ['test/engine/tail-matches.test.ts'],
  },
  {
    name: 'the order of a tail is that of whatever sort was asked before',
    file: TAIL,
    find: 'path.text === b[at]?.path.text && direction === b[at]?.direction',
    replace: 'path.text === b[at]?.path.text',
    tests: ['test/engine/tail-matches.test.ts'],
  },
  {
    name: 'the order of a tail is kept when the tail has changed',
    file: TAIL,
    find: 'known !== null && known.of === this.records',
    replace: 'known !== null',
    tests: ['test/engine/tail-matches.test.ts'],
  },
  {
    name: 'a jump goes one milestone too far',
    file: JUMP,
    find: 'const milestone = milestones[passed - 1]',
    replace: 'const milestone = milestones[Math.min(passed, milestones.length - 1)]',
    ...PAGES,
  },
  {
    name: 'the record of a cursor is given again',
    file: ORDER,
    find: 'this.numberOf(row) > (after?.n ?? -1)',
    replace: 'this.numberOf(row) >= (after?.n ?? -1)',
    ...PAGES,
  },
  {
    name: 'rows of two segments are compared upwards whatever the order',
    file: ORDER,
    find: 'return order * own.direction',
    replace: 'return order',
    ...PAGES,
  },
  {
    name: 'a place between two values is taken for the one before it',
    file: PLACES,
    find: 'Math.ceil(rank) : most - 1 - Math.floor(rank)',
    replace: 'Math.floor(rank) : most - 1 - Math.ceil(rank)',
    ...PAGES,
  },
  {
    name: 'rows behind the first ones of a group are left out',
    file: IN_ORDER,
    find: 'this.#sorted.length < this.count',
    replace: 'this.#sorted.length > this.count',
    ...ORDERS,
  },
  {
    name: 'of many rows, those that share the last place with a kept one are taken to be behind it',
    file: SORTED,
    find: '(ofRow[row] as number) <= last',
    replace: '(ofRow[row] as number) < last',
    tests: ['test/engine/smallest.test.ts'],
  },
  {
    name: 'the rows of the last block are left out of a sort',
    file: SORTED,
    find: 'if (waiting < BLOCK && at < rows.length - 1) continue',
    replace: 'if (waiting < BLOCK) continue',
    ...ORDERS,
  },
  {
    name: 'a condition that most rows meet is evaluated by those below alone',
    file: 'src/engine/column.ts',
    find: '    setRows(others, rows, end, rows.length)\n',
    replace: '',
    ...FILTERS,
  },
  {
    name: 'a walk jumps over what is left of a group',
    file: IN_ORDER,
    find: 'place === last && this.#isOneRun && row > lastRow',
    replace: 'place === last && this.#isOneRun && row < lastRow',
    ...ORDERS,
  },
  {
    name: 'natural order goes on with the word behind the one where it stopped',
    file: IN_ORDER,
    find: '(rows.at(-1) ?? this.#from) + 1',
    replace: '((rows.at(-1) ?? this.#from) | 31) + 1',
    ...ORDERS,
  },
  {
    name: 'rows and keys are put into one number that does not hold them',
    file: SORTED,
    find: 'const MOST_EXACT = 2 ** 53',
    replace: 'const MOST_EXACT = 2 ** 73',
    ...ORDERS,
  },
  {
    name: 'numbers of rows before a milestone are those up to the end of its word',
    file: PLACES,
    find: '((1 << (row & 31)) - 1)',
    replace: '(0xffffffff)',
    ...PAGES,
  },
  {
    name: 'the ranks of nothing and null are looked up among the values',
    file: RANKS,
    find: 'rankOfA < a.shift || rankOfB < b.shift',
    replace: 'rankOfA < a.shift',
    ...PAGES,
  },
  {
    name: 'a column with null has its values one rank too high',
    file: RANKS,
    find: 'return hasNull ? RANK_OF_NULL : RANK_OF_NULL + 1',
    replace: 'return RANK_OF_NULL + 1',
    ...PAGES,
  },
  {
    name: 'an array sorts by its least element downwards, too',
    file: RANKS,
    find: '(own - rank) * direction < 0',
    replace: 'own - rank < 0',
    ...PAGES,
  },
  {
    name: 'a value that a segment does not have is taken for the next one',
    file: RANKS,
    find: '(to > from ? from : from - 0.5) + shift',
    replace: 'from + shift',
    ...PAGES,
  },
  {
    name: 'rows of one value are in the order of the second key before the third',
    file: RANKS,
    find: 'of further.toReversed()',
    replace: 'of further',
    ...ORDERS,
  },
  {
    name: 'further keys are ascending, whatever their direction',
    file: RANKS,
    find: 'key.direction === 1 ? key.ofRow : ',
    replace: 'key.most > 0 ? key.ofRow : ',
    ...ORDERS,
  },
  {
    name: 'keys through one array are taken from any of its elements',
    file: RANKS,
    find: 'unknown: eitherRows(unknown, throughSeveralArrays(source, sort))',
    replace: 'unknown',
    ...PAGES,
  },
  {
    name: 'a text is as large as one that it begins',
    file: VALUES,
    find: 'return end - at - (otherEnd - otherAt)',
    replace: 'return 0',
    ...PAGES,
  },
  {
    name: 'the first kind is compared as a text',
    file: VALUES,
    find: 'return text < this.texts ? text : -1',
    replace: 'return text <= this.texts ? text : -1',
    ...PAGES,
  },
  {
    name: 'a longer text is larger whatever it says',
    file: VALUES,
    find: '      if (difference !== 0) return difference\n    }\n',
    replace: '      if (difference !== 0 && end === otherEnd) return difference\n    }\n',
    ...PAGES,
  },
  {
    name: '$gt finds the bound itself among the values',
    file: ASK,
    find: "const isAfter = operator === '$gt' || operator === '$lte'",
    replace: "const isAfter = operator === '$lte'",
    ...FILTERS,
  },
  {
    name: 'counting counts what may match',
    file: COUNT,
    find: 'count += countBits(selection.must)',
    replace: 'count += countBits(selection.may)',
    ...PAGES,
  },
  {
    name: 'what is in doubt in one of two conditions is certain in both',
    file: SELECTION,
    find: '  const may = intersection(a.may, b.may)\n  return isExact(a) && isExact(b) ?',
    replace: '  const may = intersection(a.may, b.may)\n  return isExact(a) || isExact(b) ?',
    ...PAGES,
  },
  {
    name: 'while segments are made, the record of a cursor takes a place on the next page',
    file: BACKLOG,
    find: '(after.numbers[home] ?? -1)) <= 0',
    replace: '(after.numbers[home] ?? -1)) < 0',
    ...MADE_ANEW,
  },
  {
    name: 'while segments are made, the last row of the newest is given twice',
    file: BACKLOG,
    find: 'n > ? AND n <= ?',
    replace: 'n >= ? AND n <= ?',
    ...MADE_ANEW,
  },
  {
    name: 'while segments are made, what is in the tail is given twice',
    file: BACKLOG,
    find: '      if (newer.has(n)) continue\n',
    replace: '',
    ...MADE_ANEW,
  },
  {
    name: 'every document has its fields in the order of the one before',
    file: SHAPES,
    find: 'if (field !== key || isJsonObject(value))',
    replace: 'if (isJsonObject(value))',
    ...PROJECTIONS,
  },
]
