import type { Mutant } from './mutant.ts'

const CHANGE = 'src/records/use-cases/bulk-change.ts'
const STEPS = 'src/records/use-cases/bulk-steps.ts'
const SELECTION = 'src/records/use-cases/bulk-selection.ts'
const REMOVED = 'src/records/use-cases/removed.ts'
const UNDO = 'src/records/use-cases/undo.ts'
const ENTRIES = 'src/records/use-cases/undo-entries.ts'
const QUOTA = 'src/store/limits.ts'
const KEPT = 'src/http/server/carry-out-once.ts'
const ONCE = 'src/http/server/carry-out-once.ts'
const ANSWERS = 'src/store/sqlite/write/audit-writer.ts'

const OVER_HTTP = { tests: ['test/http/bulk-changes.test.ts'], project: 'sqlite' }
const IN_PORTIONS = { tests: ['test/http/bulk-portions.test.ts'], project: 'sqlite' }
const IMPORTED = { tests: ['test/http/calculations-in-portions.test.ts'], project: 'sqlite' }
const AGAIN = { tests: ['test/http/bulk-recompute.test.ts'], project: 'sqlite' }
const TOGETHER = { tests: ['test/records/bulk-change.test.ts'] }
const ENTRY_TESTS = { tests: ['test/records/undo-entries.test.ts'] }
const QUOTAS = { tests: ['test/store/storage-quota.test.ts'] }
const KEYS = { tests: ['test/http/idempotency-key.test.ts'], project: 'sqlite' }
const ANSWER_TESTS = { tests: ['test/store/kept-answers.test.ts'] }

/** Mistakes in changes of many records, in undoing them, in what is carried out once, and in what an account may store. */
export const CHANGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'an id that is named twice counts as missing',
    file: SELECTION,
    find: 'new Set(meant.ids).size - seen',
    replace: 'meant.ids.length - seen',
    ...OVER_HTTP,
  },
  {
    name: 'a thousand records are one too many for a change',
    file: SELECTION,
    find: 'if (matched > MOST_TOGETHER)',
    replace: 'if (matched >= MOST_TOGETHER)',
    ...OVER_HTTP,
  },
  {
    name: 'of the characters that a change holds in memory those of the largest record count',
    file: SELECTION,
    find: 'characters += record.text.length',
    replace: 'characters = Math.max(characters, record.text.length)',
    ...TOGETHER,
  },
  {
    name: 'a change of which a part met another one is taken for done',
    file: 'src/records/use-cases/write-record.ts',
    find: 'const isDone = results.every(isApplied)',
    replace: 'const isDone = results.some(isApplied)',
    ...TOGETHER,
  },
  {
    name: 'who may only read changes many records',
    file: CHANGE,
    find: '  assertMayWrite(session)\n',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'the bank goes on counting public records that were removed together',
    file: STEPS,
    find: 'return { change, version: record.version, before, after: null, warnings: [] }',
    replace: 'return { change, version: record.version, before: null, after: null, warnings: [] }',
    ...OVER_HTTP,
  },
  {
    name: 'the default record goes when many are removed',
    file: STEPS,
    find: '  assertNotDefault(kind, document)\n',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'an undo of a removal brings back a record that was restored and removed again since',
    file: UNDO,
    find: "  if (removed.version !== version) return 'changed'\n",
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'an undo takes back what was changed since',
    file: UNDO,
    find: 'if (current.version !== version && !(await isOfChange(collection, id, undo)))',
    replace: 'if (current.version < version)',
    ...OVER_HTTP,
  },
  {
    name: 'an undo looks at the record of another account that has the id by now',
    file: UNDO,
    find: 'if (current === null || current.accountId !== session.account.id)',
    replace: 'if (current === null)',
    ...OVER_HTTP,
  },
  {
    name: 'who may only read undoes a change',
    file: UNDO,
    find: '  assertMayWrite(session)\n',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'the bank does not count public records whose removal is undone',
    file: REMOVED,
    find: 'after: await broughtBy(deps.work, session.user.id, kind, { isPublic, text })',
    replace: 'after: null',
    ...OVER_HTTP,
  },
  {
    name: 'what was removed is private when its removal is undone',
    file: REMOVED,
    find: 'isPublic, text, note } as const',
    replace: 'isPublic: false, text, note } as const',
    ...OVER_HTTP,
  },
  {
    name: 'an undo that is sent again under its key finds no change to undo',
    file: UNDO,
    find: ', once: tell?.(answer) }',
    replace: ' }',
    ...KEYS,
  },
  {
    name: 'entries of changes that can be undone never go by age',
    file: ENTRIES,
    find: 'told.at >= oldest && index < MOST_KEPT && ',
    replace: 'index < MOST_KEPT && ',
    ...ENTRY_TESTS,
  },
  {
    name: 'an account keeps more than a hundred entries of changes that can be undone',
    file: ENTRIES,
    find: 'told.at >= oldest && index < MOST_KEPT && ',
    replace: 'told.at >= oldest && ',
    ...ENTRY_TESTS,
  },
  {
    name: 'the newest entries go, in place of the oldest',
    file: ENTRIES,
    find: '[...entries].reverse().filter(',
    replace: '[...entries].filter(',
    ...ENTRY_TESTS,
  },
  {
    name: 'entries are kept however many records they have',
    file: ENTRIES,
    find: ' && (records <= MOST_RECORDS_KEPT || index === 0)',
    replace: '',
    ...ENTRY_TESTS,
  },
  {
    name: 'what a portion has changed cannot be undone',
    file: 'src/records/use-cases/task-portion.ts',
    find: 'replacePart(part, left, made),',
    replace: 'replacePart(part, left, part.made),',
    ...IN_PORTIONS,
  },
  {
    name: 'a change that was cancelled goes on',
    file: 'src/records/tasks/carry-out-task.ts',
    find: "  if (work.isCancelled) return end(deps, task, 'cancelled')\n",
    replace: '',
    ...IN_PORTIONS,
  },
  {
    name: 'a change goes on whose user is kept out',
    file: 'src/records/tasks/carry-out-task.ts',
    find: 'if (user === null || user.disabledAt !== null)',
    replace: 'if (user === null)',
    ...IN_PORTIONS,
  },
  {
    name: 'an undo that was cancelled cannot be gone on with',
    file: 'src/records/tasks/carry-out-task.ts',
    find: 'undo: undone.told._id }',
    replace: 'undo: null }',
    ...IN_PORTIONS,
  },
  {
    name: 'an account has as many changes under way as it likes',
    file: 'src/records/use-cases/begin-task.ts',
    find: 'if (underWay.length < MOST_UNDER_WAY) return',
    replace: 'if (underWay.length < 10 * MOST_UNDER_WAY) return',
    ...IN_PORTIONS,
  },
  {
    name: 'what an import that was interrupted has stored counts as there before',
    file: 'src/records/tasks/import-portion.ts',
    find: 'return String(createdAt) >= since',
    replace: 'return String(createdAt) < since',
    ...IMPORTED,
  },
  {
    name: 'one portion that cannot be read ends an import',
    file: 'src/records/tasks/import-portion.ts',
    find: 'if (!(error instanceof AppError) || error.status >= 500) throw error',
    replace: 'throw error',
    ...IMPORTED,
  },
  {
    name: 'tickets of another account are found out when an import is under way',
    file: 'src/records/tasks/begin-import.ts',
    find: "      deps.links.readOf(ticket, 'use', session.account.id)\n",
    replace: '',
    ...IMPORTED,
  },
  {
    name: 'what was computed again is offered to be undone',
    file: 'src/records/use-cases/change-of-each.ts',
    find: "return action === 'update' || action === 'remove'",
    replace: 'return true',
    ...AGAIN,
  },
  {
    name: 'entries of the bank stay as they were where public records are computed again',
    file: STEPS,
    find: "if (change !== 'recompute') return\n",
    replace: 'return\n',
    ...AGAIN,
  },
  {
    name: 'what was computed anew since a change is taken for changed by somebody',
    file: UNDO,
    find: ' && !(await isOfChange(collection, id, undo))',
    replace: '',
    ...AGAIN,
  },
  {
    name: 'what takes the place of a version does not tell who made that',
    file: 'src/store/changes/apply-change.ts',
    find: 'isInPlace ? row.note : null',
    replace: 'null',
    tests: ['test/http/history.test.ts'],
    project: 'sqlite',
  },
  {
    name: 'the changes of one account are carried out before those of others',
    file: 'src/app/tend-bulk-changes.ts',
    find: 'return [...first.values()]',
    replace: 'return [...first.values()].slice(0, 1)',
    tests: ['test/app/tend-bulk-changes.test.ts'],
  },
  {
    name: 'a change can be undone for as long as its entry has not been taken away',
    file: ENTRIES,
    find: 'if (records === undefined || at < oldestKept(deps)) return null',
    replace: 'if (records === undefined) return null',
    ...ENTRY_TESTS,
  },
  {
    name: 'whoever is over a quota that was lowered cannot make a record smaller',
    file: QUOTA,
    find: 'if (limit > 0 && grows[quota] > 0 && after[quota] > limit)',
    replace: 'if (limit > 0 && after[quota] > limit)',
    ...QUOTAS,
  },
  {
    name: 'an account has one record more than it may have',
    file: QUOTA,
    find: '{ records: before.records + 1, bytes: before.bytes + grows.bytes }',
    replace: '{ records: before.records, bytes: before.bytes + grows.bytes }',
    ...QUOTAS,
  },
  {
    name: 'another request under a key that was used is answered with what the first did',
    file: KEPT,
    find: '    if (kept.asked !== asked) throw keyOfAnother()\n',
    replace: '',
    ...KEYS,
  },
  {
    name: 'of two under one key that come at once one hears that it was too late',
    file: ONCE,
    find: 'error instanceof AppError ? await once.find().catch(() => null) : null',
    replace: 'null',
    ...KEYS,
  },
  {
    name: 'an account keeps as many answers as its requests have',
    file: ANSWERS,
    find: 'place > @place - ${MOST_ANSWERS}',
    replace: 'place > 0',
    ...ANSWER_TESTS,
  },
  {
    name: 'answers that are older than a day stay where they are',
    file: ANSWERS,
    find: ' AND at > @at - ${ANSWERS_KEPT_MS} ORDER BY place',
    replace: ' ORDER BY place',
    ...ANSWER_TESTS,
  },
  {
    name: 'the answer that shows a record stays when that is deleted for good',
    file: ANSWERS,
    find: "if (action !== 'erase' && action !== 'purge') continue",
    replace: "if (action !== 'erase') continue",
    tests: ['test/contract/contract.test.ts'],
    project: 'sqlite',
    named: 'answers in ',
  },
]
