import type { Mutant } from './mutant.ts'

const BUDGET = 'src/kernel/clock.ts'
const STEP_BACK = 'src/kernel/step-back.ts'
const LONG_TURNS = 'src/http/server/long-turns.ts'
const DRAINING = 'src/http/server/http-server.ts'
const TAILS = 'src/store/segments/segment-sizes.ts'
const TENDING = 'src/store/sqlite/segments/merge-segments.ts'
const SINGLE = 'src/store/sqlite/read/read-record.ts'
const READ_THREAD = 'src/store/sqlite/read/read-thread.ts'
const WARM_UP = 'src/app/warm-up.ts'

const BUDGETS = { tests: ['test/kernel/budget.test.ts'] }
const STEPPED = { tests: ['test/store/step-back.test.ts'] }
const WATCHED = { tests: ['test/http/long-turns.test.ts'], project: 'sqlite' }
const STOPPED = { tests: ['test/cli/serve.test.ts'] }
const SEALED = { tests: ['test/store/tails-to-seal.test.ts'] }
const TENDED = { tests: ['test/store/tending.test.ts'] }
const READ = { tests: ['test/contract/contract.test.ts'], project: 'sqlite' }
const FORMS = { tests: ['test/records/long-forms.test.ts'] }
const WARM = { tests: ['test/app/warm-up.test.ts'] }

const FIELDS = { tests: ['test/engine/survey.test.ts'] }

/** Mistakes in what keeps the request thread free: budgets, turns, tails, long records, starts and stops. */
export const STILLNESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'work with a small budget is late at once',
    file: BUDGET,
    find: 'Math.max(PATIENCE * budgetMs, budgetMs + LEAST_PATIENCE_MS)',
    replace: 'PATIENCE * budgetMs',
    ...BUDGETS,
  },
  {
    name: 'a budget is of the clock on the wall',
    file: BUDGET,
    find: 'if (spent >= this.#budgetMs)',
    replace: 'if (passed >= this.#budgetMs)',
    ...BUDGETS,
  },
  {
    name: 'work without a processor is late as soon as its budget has passed',
    file: BUDGET,
    find: 'if (passed >= this.#latestMs)',
    replace: 'if (passed >= this.#budgetMs)',
    ...BUDGETS,
  },
  {
    name: 'where the system tells nothing, work takes nothing',
    file: BUDGET,
    find: 'return now === null ? passed / LENIENCE',
    replace: 'return now === null ? 0 * passed * LENIENCE',
    ...BUDGETS,
  },
  {
    name: 'a budget is looked at when it may be late, and not when it may be used up',
    file: BUDGET,
    find: 'this.#nextLook = now + Math.min(this.#budgetMs - spent, this.#latestMs - passed)',
    replace: 'this.#nextLook = now + this.#latestMs - passed',
    ...BUDGETS,
  },
  {
    name: 'what the thread had spent before counts',
    file: BUDGET,
    find: 'this.#spentBefore = this.#clock.spentMs ?? 0',
    replace: 'this.#spentBefore = 0',
    ...BUDGETS,
  },
  {
    name: 'threads of a store are equals of the one that answers',
    file: STEP_BACK,
    find: 'store: 2',
    replace: 'store: 0',
    ...STEPPED,
  },
  {
    name: 'what was waited for between two looks counts as work',
    file: LONG_TURNS,
    find: 'this.#looked - before.looked - LOOK_EVERY_MS',
    replace: 'this.#looked - before.looked + 0 * LOOK_EVERY_MS',
    ...WATCHED,
  },
  {
    name: 'a turn is long by the clock on the wall',
    file: LONG_TURNS,
    find: 'Math.min(late, this.#spent - before.spent)',
    replace: 'late',
    ...WATCHED,
  },
  {
    name: 'a turn of just the limit is told',
    file: LONG_TURNS,
    find: 'spent > LONGEST_TURN_MS',
    replace: 'spent >= LONGEST_TURN_MS',
    ...WATCHED,
  },
  {
    name: 'of long turns the number is told for the time',
    file: LONG_TURNS,
    find: 'this.#milliseconds += spent',
    replace: 'this.#milliseconds += 0 * spent + 1',
    ...WATCHED,
  },
  {
    name: 'where the system tells nothing, no turn is long',
    file: LONG_TURNS,
    find: 'this.#clocks.thread.spentMs ?? this.#looked',
    replace: 'this.#clocks.thread.spentMs ?? 0',
    ...WATCHED,
  },
  {
    name: 'a stop waits for connections that have said nothing',
    file: DRAINING,
    find: 'if (connection.bytesRead === 0)',
    replace: 'if (connection.bytesRead < 0)',
    ...STOPPED,
  },
  {
    name: 'a stop cuts an answer that is on its way',
    file: DRAINING,
    find: 'if (writableLength > 0) return',
    replace: 'if (writableLength < 0) return',
    ...STOPPED,
  },
  {
    name: 'a tail of more records than are sealed together stays for ever',
    file: TAILS,
    find: '(sealed > 0 && sealed + rows > SEALED_TOGETHER)',
    replace: 'sealed + rows > SEALED_TOGETHER',
    ...SEALED,
  },
  {
    name: 'more tails are sealed than needed',
    file: TAILS,
    find: '    left -= rows\n',
    replace: '',
    ...SEALED,
  },
  {
    name: 'the smallest tails are sealed first',
    file: TAILS,
    find: 'b.rows - a.rows',
    replace: 'a.rows - b.rows',
    ...SEALED,
  },
  {
    name: 'a tail of just enough records stays one',
    file: TAILS,
    find: '(rows < quietRows &&',
    replace: '(rows <= quietRows &&',
    ...SEALED,
  },
  {
    name: 'small tails are sealed though there are few',
    file: TAILS,
    find: 'left > TAILS_TOGETHER &&',
    replace: 'left >= 0 &&',
    ...SEALED,
  },
  {
    name: 'tails are sealed while somebody writes',
    file: TENDING,
    find: 'inQuiet && backlog.get()',
    replace: 'backlog.get()',
    ...TENDED,
  },
  {
    name: 'long records are read on the thread that asks',
    file: SINGLE,
    find: 'octet_length(doc) >',
    replace: 'octet_length(doc) / 1000000 >',
    ...READ,
  },
  {
    name: 'of a long record the text is left out',
    file: SINGLE,
    find: 'if ((row.doc as string | null) === null)',
    replace: 'if ((row.doc as string | null) === undefined)',
    ...READ,
  },
  {
    name: 'a reader thread refuses long records, too',
    file: READ_THREAD,
    find: 'singleReads(reader, Number.POSITIVE_INFINITY)',
    replace: 'singleReads(reader)',
    ...READ,
  },
  {
    name: 'the first question waits for a thread to start',
    file: WARM_UP,
    find: 'services.store.warmUp(), ',
    replace: '',
    ...WARM,
  },
  {
    name: 'the first creation waits for threads to start',
    file: WARM_UP,
    find: ', ...rehearsals',
    replace: '',
    ...WARM,
  },
  {
    name: 'columns that were asked for are read at the start, and what was worked out from them is not',
    file: 'src/store/segments/usual-columns.ts',
    find: "if (what === 'groups') ranks?.groups()",
    replace: "if (what === 'group') ranks?.groups()",
    tests: ['test/store/columns-of-before.test.ts'],
  },
  {
    name: 'columns are noted by commands too',
    file: 'src/store/sqlite/sqlite-store.ts',
    find: 'if (this.#isWarm && !this.#writes.readOnly)',
    replace: 'if (!this.#writes.readOnly)',
    tests: ['test/store/columns-of-before.test.ts'],
  },
  {
    name: 'columns of bundles are forgotten',
    file: 'src/store/segments/usual-columns.ts',
    find: 'name.startsWith(BUNDLE) ? 0 : ',
    replace: '',
    tests: ['test/store/columns-of-before.test.ts'],
  },
  {
    name: 'columns weigh no more than their entries',
    file: 'src/store/segments/column-cache.ts',
    find: 'bytes.length + derived',
    replace: 'derived',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'the columns that a job brings are forgotten',
    file: 'src/store/segments/column-cache.ts',
    find: 'this.#work.held.get(key) ?? ',
    replace: '',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'each reader thread has the memory of all',
    file: 'src/store/threads/store-options.ts',
    find: 'bytes / (readerThreads + 1)',
    replace: 'bytes',
    tests: ['test/store/column-cache.test.ts'],
  },
  {
    name: 'the threads of V8 do not step back',
    file: STEP_BACK,
    find: 'setNiceness(others.map(Number), NICENESS.store)',
    replace: '',
    ...STEPPED,
  },
  {
    name: 'a form has as many parts as fit',
    file: 'src/records/work/client-body.ts',
    find: 'if (parts > MOST_IN_ALL + 1) throw',
    replace: 'if (parts < 0) throw',
    ...FORMS,
  },
  {
    name: 'a form may have one part less than is said',
    file: 'src/records/work/client-body.ts',
    find: 'if (parts > MOST_IN_ALL + 1) throw',
    replace: 'if (parts > MOST_IN_ALL) throw',
    ...FORMS,
  },
  {
    name: 'the parts of a form that begins with empty lines are not counted',
    file: 'src/records/work/client-body.ts',
    find: 'start += LINE_END.length',
    replace: 'break',
    ...FORMS,
  },
  {
    name: 'the beginning of a long text is left out',
    file: 'src/store/sqlite/write/write-thread.ts',
    find: 'text: begun + next.text',
    replace: 'text: next.text',
    tests: ['test/store/large-changes.test.ts'],
  },
  {
    name: 'an array on the way to a field is one of the field',
    file: 'src/engine/survey-fields.ts',
    find: "if (isClear || kind !== 'array') ",
    replace: '',
    ...FIELDS,
  },
  {
    name: 'all documents are read where one of them tells',
    file: 'src/engine/survey-fields.ts',
    find: ' && unclear.size > 0',
    replace: '',
    ...FIELDS,
  },
  {
    name: 'threads of an import come before it',
    file: STEP_BACK,
    find: 'if (getPriority(thread) < niceness) ',
    replace: '',
    ...STEPPED,
  },
]
