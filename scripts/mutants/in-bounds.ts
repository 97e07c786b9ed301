import type { Mutant } from './mutant.ts'

const SHARES = 'src/kernel/turns.ts'
const TURNS = 'src/kernel/turns.ts'
const QUEUE = 'src/kernel/fair-queue.ts'
const ADMISSION = 'src/http/server/request-listener.ts'
const QUOTAS = 'src/http/bounds/quotas.ts'
const HELD = 'src/http/bounds/held.ts'

const SHARE_TESTS = { tests: ['test/kernel/shares.test.ts'] }
const TURN_TESTS = { tests: ['test/kernel/turns.test.ts'] }
const QUEUE_TESTS = { tests: ['test/kernel/fair-queue.test.ts'] }
const ADMITTED = { tests: ['test/http/admission.test.ts'], project: 'sqlite' }
const IN_A_MINUTE = { tests: ['test/http/quotas.test.ts'], project: 'sqlite' }
const ENDINGS = { tests: ['test/http/after-answer.test.ts'], project: 'sqlite' }

/** Mistakes in what one client may hold, send and ask: more than there is, or never given back. */
export const BOUND_MUTANTS: readonly Mutant[] = [
  {
    name: 'the last of what a user may hold is refused',
    file: SHARES,
    find: 'this.heldBy(user) + amount > perUser',
    replace: 'this.heldBy(user) + amount >= perUser',
    ...SHARE_TESTS,
  },
  {
    name: 'what is given back by one is held by all for ever',
    file: SHARES,
    find: '    else this.#held.delete(user)\n    this.#inAll -= amount',
    replace: '    else this.#held.delete(user)\n    this.#inAll -= left > 0 ? amount : 0',
    ...SHARE_TESTS,
  },
  {
    name: 'whoever holds all that he may is not beyond it',
    file: SHARES,
    find: "this.heldBy(user) >= this.limits.perUser ? 'own'",
    replace: "this.heldBy(user) > this.limits.perUser ? 'own'",
    ...SHARE_TESTS,
  },
  {
    name: 'all together may hold more than there is',
    file: SHARES,
    find: "this.#inAll >= this.limits.inAll ? 'all' : null",
    replace: 'null',
    ...SHARE_TESTS,
  },
  {
    name: 'a place is not given back when an answer fails',
    file: ADMISSION,
    find: '        return await run()\n      } finally {\n        answering--\n      }',
    replace:
      '        const answer = await run()\n        answering--\n        return answer\n      } finally {\n      }',
    ...ADMITTED,
  },
  {
    name: 'a place is given back before the answer is there',
    file: ADMISSION,
    find: 'return await run()',
    replace: 'return run()',
    ...ADMITTED,
  },
  {
    name: 'one more is answered than there are places for at the door',
    file: ADMISSION,
    find: '      if (answering >= limit) throw overloaded()',
    replace: '      if (answering > limit) throw overloaded()',
    ...ADMITTED,
  },
  {
    name: 'who owes processor time is forgiven when many others come',
    file: QUOTAS,
    find: 'if (this.#debtOf(minute, now) === 0) this.#minutes.delete(user)',
    replace: 'this.#minutes.delete(user)',
    ...IN_A_MINUTE,
  },
  {
    name: 'whoever has ever come is remembered for ever',
    file: QUOTAS,
    find: '    if (this.#minutes.size > MOST_MINUTES) this.#forgetOld(now)\n',
    replace: '',
    ...IN_A_MINUTE,
  },
  {
    name: 'a minute lasts a moment longer than it is told to',
    file: QUOTAS,
    find: 'now < before.began + MINUTE_MS) return before',
    replace: 'now <= before.began + MINUTE_MS) return before',
    ...IN_A_MINUTE,
  },
  {
    name: 'a user who has had exactly all of a quota of processor time has a request more',
    file: QUOTAS,
    find: "had.cpu >= cpu ? 'cpu'",
    replace: "had.cpu > cpu ? 'cpu'",
    ...IN_A_MINUTE,
  },
  {
    name: 'what users have had of a turn of the event loop counts for the next ones',
    file: TURNS,
    find: '    this.#spent.clear()\n',
    replace: '',
    ...TURN_TESTS,
  },
  {
    name: 'work of a user overtakes what waits of his own',
    file: TURNS,
    find: '    if (this.#queue.size > 0 && this.#queue.sizeOf(user) > 0) return false\n',
    replace: '',
    ...TURN_TESTS,
  },
  {
    name: 'what work has taken is told with what it was thought to take',
    file: TURNS,
    find: 'this.#queue.charge(user, milliseconds - EXPECTED_MS)',
    replace: 'this.#queue.charge(user, -EXPECTED_MS)',
    ...TURN_TESTS,
  },
  {
    name: 'small work of a user passes large work without end',
    file: QUEUE,
    find: 'before.passed < MOST_PASSES',
    replace: 'before.passed >= 0',
    ...QUEUE_TESTS,
  },
  {
    name: 'a user who comes late has had nothing and goes before all others until he has',
    file: QUEUE,
    find: 'if (lane.waiting.length === 0) lane.start = Math.max(this.#now, lane.start)',
    replace: 'if (lane.waiting.length === 0) lane.start = Math.min(this.#now, lane.start)',
    ...QUEUE_TESTS,
  },
  {
    name: 'an item that nobody waits for is counted for ever',
    file: QUEUE,
    find: '    lane.waiting.splice(at, 1)\n    this.size -= 1\n',
    replace: '    lane.waiting.splice(at, 1)\n',
    ...QUEUE_TESTS,
  },
  {
    name: 'what a client holds that has gone already is never given back',
    file: HELD,
    find: '  if (socket.destroyed) {\n    run()\n    return\n  }\n',
    replace: '',
    ...ENDINGS,
  },
  {
    name: 'what is to be done at the end of an answer is done at that of its connection, too',
    file: HELD,
    find: 'if (open.delete(end)) run()',
    replace: 'open.delete(end)\n    run()',
    ...ENDINGS,
  },
  {
    name: 'the work of users counts for nobody',
    file: 'src/kernel/turns.ts',
    find: '=> this.#hear(user, milliseconds)',
    replace: '=> void [user, milliseconds]',
    ...IN_A_MINUTE,
  },
]
