import type { Mutant } from './mutant.ts'

const VIEW = 'src/store/segments/shelf-view.ts'
const SELECTIONS = 'src/store/segments/find-records.ts'
const VIEWS = 'src/store/sqlite/segments/shelf-views.ts'
const STATE = 'src/store/sqlite/read/current-state.ts'
const FILTER_TEXT = 'src/query/ast/filter-text.ts'
const ANSWERS = 'src/http/response/response-cache.ts'
const CLIENT = 'src/http/exchange/context.ts'
const LISTENER = 'src/http/server/request-listener.ts'
const SESSIONS = 'src/http/request/authenticate.ts'
const PASSWORD = 'src/accounts/users.ts'

const A_HOME = { tests: ['test/store/segments.test.ts'], named: '^a home ' }
const A_SEGMENT = { tests: ['test/store/segments.test.ts'], named: '^a segment ' }
const AT_RANDOM_STORE = { tests: ['test/store/segments.test.ts'], named: 'answer like the matcher' }
const STATES = { tests: ['test/store/current-state.test.ts'] }
const REMEMBERED = { tests: ['test/http/remembered.test.ts'] }
const PIPELINE = { tests: ['test/http/pipeline.test.ts'] }
const SESSION_TESTS = { tests: ['test/accounts/session-cache.test.ts'] }
const USERS = { tests: ['test/accounts/users.test.ts'] }

/** Mistakes in what is remembered: it is not true any more, or was another one's. */
export const MEMORY_MUTANTS: readonly Mutant[] = [
  {
    name: 'rows that matched before a write are alive after it',
    file: SELECTIONS,
    find: 'if (kept.live !== live) {',
    replace: 'if (kept.live === null) {',
    ...A_SEGMENT,
  },
  {
    name: 'a selection is that of any segment',
    file: SELECTIONS,
    find: 'const key = `${number} ${filterText(filter)}`',
    replace: 'const key = filterText(filter)',
    ...A_SEGMENT,
  },
  {
    name: 'what a filter said of a tail holds when the tail has changed',
    file: 'src/store/segments/tail-document.ts',
    find: 'if (known?.of === tail) return known',
    replace: 'if (known !== null) return known',
    ...AT_RANDOM_STORE,
  },
  {
    name: 'a shelf is taken to be as it was in the state before',
    file: VIEWS,
    find: 'state !== null && known.state === state',
    replace: 'state !== null',
    ...AT_RANDOM_STORE,
  },
  {
    name: 'filters with infinite numbers are all one',
    file: FILTER_TEXT,
    find: "Object.is(value, -0) ? '-0' : String(value)",
    replace: 'JSON.stringify(value)',
    ...A_SEGMENT,
  },
  {
    name: 'filters with other long integers are all one',
    file: FILTER_TEXT,
    find: '`${value}n`',
    replace: "'n'",
    tests: ['test/query/filter-text.test.ts'],
  },
  {
    name: 'what is known of fields keeps the views of all who asked',
    file: 'src/store/segments/field-knowledge.ts',
    find: 'new WeakMap<ShelfView, ShelfAnswers>()',
    replace: 'new Map<ShelfView, ShelfAnswers>()',
    tests: ['test/store/tails-in-memory.test.ts'],
  },
  {
    name: 'a home has the place that it had in another question',
    file: VIEWS,
    find: '`${home}/${collection}/${place}`',
    replace: '`${home}/${collection}`',
    ...A_HOME,
  },
  {
    name: 'a home is looked at again when its records change, and not when its segments do',
    file: VIEWS,
    find: 'known.shelf.version === now.version && known.shelf.layout === now.layout) {',
    replace: 'known.shelf.version === now.version) {',
    ...A_SEGMENT,
  },
  {
    name: 'the rows of a segment that have died are those of when it was first looked at',
    file: VIEW,
    find: 'present !== undefined && present.deadRows === deadRows',
    replace: 'present !== undefined',
    ...A_SEGMENT,
  },
  {
    name: 'texts of records in a new segment are those of when they were first read',
    file: VIEW,
    find: '      if (present === undefined) this.#forget(row.numbers)\n',
    replace: '',
    ...A_SEGMENT,
  },
  {
    name: 'a tail that was sealed stays in memory',
    file: VIEW,
    find: 'isSameLayout ? known.tail : null',
    replace: 'known !== null ? known.tail : null',
    ...AT_RANDOM_STORE,
  },
  {
    name: 'a row that the tail has come to replace stays alive',
    file: VIEW,
    find: '? withoutReplaced(known.segments, tail, known.tail)',
    replace: '? known.segments',
    ...A_SEGMENT,
  },
  {
    name: 'a row that the tail had replaced before its segment was looked at is alive',
    file: VIEW,
    find: 'withoutReplaced(this.#withRead(news.segments ?? [], place, known), tail, NO_TAIL)',
    replace: 'this.#withRead(news.segments ?? [], place, known)',
    ...A_SEGMENT,
  },
  {
    name: 'a record that has left a home is in its tail',
    file: VIEWS,
    find: 'const whole = scope === home ?',
    replace: 'const whole = scope >= 0 ?',
    ...A_HOME,
  },
  {
    name: 'the last row of a segment stays alive when it is replaced',
    file: VIEW,
    find: 'if (n < first || n > last) continue',
    replace: 'if (n < first || n >= last) continue',
    ...A_SEGMENT,
  },
  {
    name: 'a state of the database never ends',
    file: STATE,
    find: '    if (mark !== this.#mark) this.end()\n',
    replace: '',
    ...STATES,
  },
  {
    name: 'an answer is given after a write',
    file: ANSWERS,
    find: 'if (entry.counter !== counter) {',
    replace: 'if (entry.counter > counter) {',
    ...REMEMBERED,
  },
  {
    name: 'an answer is given to everybody',
    file: ANSWERS,
    find: 'return `${scopeName(scope)} ${question}`',
    replace: 'return ` ${question}`',
    ...REMEMBERED,
  },
  {
    name: 'the room of an answer is given away before it is sent',
    file: 'src/http/response/write-response.ts',
    find: 'else out.write(piece, () => giveBack(piece))',
    replace: 'else if (out.write(piece) || true) giveBack(piece)',
    tests: ['test/http/answer-rooms.test.ts'],
  },
  {
    name: 'the room of an answer comes back twice',
    file: 'src/kernel/room.ts',
    find: '  lent.delete(written)\n',
    replace: '',
    tests: ['test/kernel/room.test.ts'],
  },
  {
    name: 'what was put elsewhere goes with the slab where it was first',
    file: 'src/store/segments/text-slabs.ts',
    find: 'this.#places.get(n)?.slab === oldest',
    replace: 'this.#places.has(n)',
    tests: ['test/store/text-slabs.test.ts'],
  },
  {
    name: 'what is asked for goes with the oldest slab',
    file: 'src/store/segments/text-slabs.ts',
    find: '    if (this.#isOld(place.slab)) this.set(n, text)\n',
    replace: '',
    tests: ['test/store/text-slabs.test.ts'],
  },
  {
    name: 'the first of the records that are let go of stays',
    file: 'src/store/segments/text-slabs.ts',
    find: 'rowOf(numbers, n) >= 0',
    replace: 'rowOf(numbers, n) > 0',
    tests: ['test/store/text-slabs.test.ts'],
  },
  {
    name: 'more is handed over of a job than the owner takes',
    file: 'src/store/segments/column-cache.ts',
    find: 'own.length <= this.#handing.most',
    replace: 'own.length >= 0',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'what a thread reads for itself is handed over',
    file: 'src/store/segments/column-cache.ts',
    find: 'isForOwner ? [] : null',
    replace: '[]',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'what was read is handed over when the job is done',
    file: 'src/store/segments/column-cache.ts',
    find: 'this.#addedBytes >= HANDED_AT_A_TIME',
    replace: 'this.#addedBytes < 0',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'what another thread has found out about fields is forgotten',
    file: 'src/store/segments/field-knowledge.ts',
    find: 'for (const [name, answer] of found) answers.set(name, answer)',
    replace: 'void [answers, found]',
    tests: ['test/store/field-knowledge.test.ts'],
  },
  {
    name: 'a record alone in the tail is none',
    file: 'src/store/segments/field-knowledge.ts',
    find: 'tail.length > 0 ||',
    replace: 'tail.length > 1 ||',
    tests: ['test/contract/contract.test.ts'],
    named: 'tells whether the requester sees any record',
  },
  {
    name: 'every answer is kept the first time',
    file: ANSWERS,
    find: 'size > KEPT_AT_ONCE && !this.#asked.has(key)',
    replace: 'size < 0 && !this.#asked.has(key)',
    tests: ['test/http/response-cache.test.ts'],
  },
  {
    name: 'a credential is recognised for another account',
    file: CLIENT,
    find: "    client.accountId === headers['x-account-id'] &&\n",
    replace: '',
    ...PIPELINE,
  },
  {
    name: 'a GET with a body is answered',
    file: LISTENER,
    find: '  assertBodyAllowed(context)\n',
    replace: '',
    ...REMEMBERED,
  },
  {
    name: 'a session that has ended is trusted',
    file: SESSIONS,
    find: '    if (version !== present) return false\n',
    replace: '',
    ...SESSION_TESTS,
  },
  {
    name: 'a session is trusted for ever',
    file: SESSIONS,
    find: 'return now >= since && now < Math.min(since + TRUSTED_MS, session.endsAt)',
    replace: 'return now >= since && now < session.endsAt',
    ...SESSION_TESTS,
  },
  {
    name: 'a session is trusted beyond the end of its token',
    file: SESSIONS,
    find: 'Math.min(since + TRUSTED_MS, session.endsAt)',
    replace: 'since + TRUSTED_MS',
    ...SESSION_TESTS,
  },
  {
    name: 'a stream goes on when its token has ended by itself',
    file: SESSIONS,
    find: 'last !== null && deps.clock() < last.session.endsAt && ',
    replace: 'last !== null && ',
    ...SESSION_TESTS,
  },
  {
    name: 'to be followed is a use of a session',
    file: SESSIONS,
    find: 'last = await lookUp(credentials, version, false)',
    replace: 'last = await lookUp(credentials, version, true)',
    ...SESSION_TESTS,
  },
  {
    name: 'a new password ends no session',
    file: PASSWORD,
    find: "if (token.kind === 'session') await",
    replace: "if (token.kind !== 'session') await",
    ...USERS,
  },
]
