import type { Mutant } from './mutant.ts'

const RECORDS = 'src/store/changes/apply-change.ts'
const TABLES = 'src/store/sqlite/write/record-tables.ts'
const PLACE = 'src/store/segments/write-documents.ts'
const RUN = 'src/store/sqlite/write/run-batch.ts'
const CHANGES = 'src/store/sqlite/write/run-batch.ts'
const NAMES = 'src/store/sqlite/read/current-state.ts'
const COUNTER = 'src/store/sqlite/read/current-state.ts'
const HISTORY = 'src/store/sqlite/read/read-record.ts'
const CIPHER = 'src/store/number-cipher.ts'

const A_HOME = { tests: ['test/store/segments.test.ts'], named: '^a home ' }
const A_SEGMENT = { tests: ['test/store/segments.test.ts'], named: '^a segment ' }
const AT_RANDOM = { tests: ['test/store/segments.test.ts'], named: 'answer like the matcher' }
const CONTRACT = { tests: ['test/contract/contract.test.ts'], named: '^records in ' }
const SHARED_IDS = { tests: ['test/http/shared-ids.test.ts'] }
const HISTORIES = { tests: ['test/contract/contract.test.ts'], named: '^history in ' }
const CIPHERED = { tests: ['test/store/number-cipher.test.ts'] }

/** Mistakes in whose record is where, and who is told of it. */
export const HOME_MUTANTS: readonly Mutant[] = [
  {
    name: 'a record that is published stays in its old home, too',
    file: RECORDS,
    find: "    if (scope !== row.scope) note(row.scope, { ...row, doc: '' }, changes)\n",
    replace: '',
    ...A_HOME,
  },
  {
    name: 'a record that is published does not come to the public home',
    file: RECORDS,
    find: 'note(scope, after, changes)',
    replace: 'note(row.scope, after, changes)',
    ...A_HOME,
  },
  {
    name: 'the public home does not hear that a record is gone',
    file: RECORDS,
    find: "note(row.scope, { ...row, doc: '' }, changes)\n    changes.addRecords",
    replace: "note(row.owner, { ...row, doc: '' }, changes)\n    changes.addRecords",
    ...AT_RANDOM,
  },
  {
    name: 'an id that is public already is given again',
    file: TABLES,
    find: 'isTaken.get(collection, owner, PUBLIC_HOME, id) === 1',
    replace: 'isTaken.get(collection, owner, owner, id) === 1',
    ...CONTRACT,
  },
  {
    name: 'a removed record comes back under an id that is public by now',
    file: RECORDS,
    find: 'if (tables.isTaken(collection, owner, id))',
    replace: 'if (tables.find(owner, collection, id) !== undefined)',
    ...SHARED_IDS,
  },
  {
    name: 'a record is published under an id that is public already',
    file: RECORDS,
    find: 'if (scope !== row.scope && tables.find(',
    replace: 'if (scope === row.owner && scope !== row.scope && tables.find(',
    ...SHARED_IDS,
  },
  {
    name: 'anybody changes the public records of others',
    file: RECORDS,
    find: 'return found?.owner === owner ? found : undefined',
    replace: 'return found',
    ...CONTRACT,
  },
  {
    name: 'a record is written over one that has changed meanwhile',
    file: RECORDS,
    find: 'return row.version === change.expectedVersion ? null',
    replace: 'return row.version >= change.expectedVersion ? null',
    ...CONTRACT,
  },
  {
    name: 'stamps are those of the transaction before',
    file: RUN,
    find: '      tail.forget()\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'what is replaced in a home is no change of it',
    file: CHANGES,
    find: '    for (const home of homes) change.run(home)\n',
    replace: '    for (const home of homes) if (differences.size > 0) change.run(home)\n',
    ...A_SEGMENT,
  },
  {
    name: 'an account that was asked for before it had a record has none ever after',
    file: NAMES,
    find: '    if (number === undefined) return null\n    known.set(name, number)\n    return number',
    replace: '    known.set(name, number ?? -1)\n    return number ?? null',
    ...A_HOME,
  },
  {
    name: "an account's own changes alone count",
    file: COUNTER,
    find: 'homes.reduce((sum, number)',
    replace: 'homes.slice(-1).reduce((sum, number)',
    ...CONTRACT,
  },
  {
    name: 'who sees all has a place in each home',
    file: PLACE,
    find: 'numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers',
    replace: 'numbers',
    ...A_HOME,
  },
  {
    name: 'a cursor with a long key goes on behind the present one of its record',
    file: 'src/query/order/cursor.ts',
    find: 'if (digestOf(textOfKey(key)) === digest) return key',
    replace: 'return key',
    ...CONTRACT,
  },
  {
    name: 'a cursor leans on the record of the first home',
    file: PLACE,
    find: '{ numbers: next.numbers, home: last.home }',
    replace: '{ numbers: next.numbers, home: 0 }',
    ...A_HOME,
  },
  {
    name: 'versions of a public record are shown to everybody',
    file: HISTORY,
    find: ' AND record.owner = owner.number`',
    replace: '`',
    ...HISTORIES,
  },
  {
    name: 'a cursor of one collection is one of another',
    file: CIPHER,
    find: 'ofCollection !== collection || ',
    replace: '',
    ...CIPHERED,
  },
  {
    name: 'a cursor of one home is one of another',
    file: CIPHER,
    find: ' || ofHome !== homes[at]',
    replace: '',
    ...CIPHERED,
  },
  {
    name: 'half a block stays in the cipher for the next cursor',
    file: CIPHER,
    find: 'enciphered.length % BLOCK !== 0 || ',
    replace: '',
    ...CIPHERED,
  },
  {
    name: 'a cursor may name no record',
    file: CIPHER,
    find: 'return ofRecord === null ? null : { numbers, home: ofRecord }',
    replace: 'return { numbers, home: ofRecord ?? 0 }',
    ...CIPHERED,
  },
  {
    name: 'a home that has had nothing yet is at its first record',
    file: CIPHER,
    find: 'new Array<number>(homes.length).fill(-1)',
    replace: 'new Array<number>(homes.length).fill(0)',
    ...CIPHERED,
  },
]
