import type { Mutant } from './mutant.ts'

const DIGEST = 'src/http/exchange/asked-digest.ts'
const DIGEST_TESTS = { tests: ['test/http/asked-digest.test.ts'] }
const WRITES = { tests: ['test/store/large-changes.test.ts'] }

/** Mistakes with long bodies, and with what is handed on in parts. */
export const BODY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a boundary is looked for wherever it may be',
    file: DIGEST,
    find: 'from = done + SHORTEST_PART',
    replace: 'from = done',
    ...DIGEST_TESTS,
  },
  {
    name: 'a boundary that lies across two parts of a body stays in it',
    file: DIGEST,
    find: 'this.#held = Buffer.from(bytes.subarray(end))',
    replace: 'this.#held = Buffer.alloc(0)',
    ...DIGEST_TESTS,
  },
  {
    name: 'where a boundary may be is forgotten between two parts of a body',
    file: DIGEST,
    find: 'this.#passedOver = Math.max(0, from - end)',
    replace: 'this.#passedOver = 0',
    ...DIGEST_TESTS,
  },
  {
    name: 'whether somebody may write is judged after the body',
    file: 'src/http/server/request-listener.ts',
    find: '  if (isKept) assertMayWrite(sessionOf(context))\n',
    replace: '',
    ...DIGEST_TESTS,
  },
  {
    name: 'the last piece of long bytes has what nobody has sent',
    file: 'src/kernel/bytes.ts',
    find: 'piece.subarray(0, this.#length - index * PIECE_BYTES)',
    replace: 'piece',
    tests: ['test/kernel/long-bytes.test.ts'],
  },
  {
    name: 'what was sent ahead of a job is left out',
    file: 'src/store/sqlite/write/write-thread.ts',
    find: 'job: { ...job, changes: joined(sent, job.changes) }',
    replace: 'job',
    ...WRITES,
  },
  {
    name: 'a store that closes leaves jobs of which a part was sent',
    file: 'src/store/sqlite/write/write-queue.ts',
    find: 'await Promise.allSettled(this.#sending)',
    replace: '',
    ...WRITES,
  },
  {
    name: 'values of facets cost nothing',
    file: 'src/engine/facet-counts.ts',
    find: 'this.#spend(this.#counts.size * STEPS_PER_SORTED)',
    replace: '',
    tests: ['test/engine/survey.test.ts'],
  },
]
