import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { Pauses } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SentRunFile } from '../calculations/import-runs.ts'
import type { RunPlace } from '../calculations/records-of-run.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { jobKind } from '../kinds/plain-kinds.ts'
import { assertMayBegin, type BegunTask, newTask, newWork } from '../use-cases/begin-task.ts'
import { insertPart, insertTask } from '../use-cases/bulk-tasks.ts'
import { writeConflict } from '../use-cases/change.ts'
import { tasksOf } from '../use-cases/noted-tasks.ts'
import { commit } from '../use-cases/write-record.ts'

/** Files of calculations that have been sent, which are read together, and the jobs of them that are meant. Plain data: it is stored. */
export type RunPortion = {
  readonly files: readonly SentRunFile[]
  readonly only: readonly string[]
  /** Lets everybody see the records. */
  readonly isPublic: boolean
}

/** Bytes of all portions of an import: they are stored in one transaction. */
const MOST_BYTES = 32 * 1024 * 1024

/** Begins to import calculations of files that have been sent; none of them has to be sent by then. */
export async function beginImport(place: RunPlace, portions: AsyncIterable<RunPortion>): Promise<BegunTask> {
  const { deps, session } = place
  assertMayWrite(session)
  await assertMayBegin(place)
  const all = await gathered(place, portions)
  const matched = all.reduce((sum, { only }) => sum + only.length, 0)
  const task = newTask(place, { collection: jobKind.collection, action: 'import', matched })
  const address = { accountId: session.account.id, id: task._id }
  const beside = [
    insertTask(session.account.id, task, newWork(session, all.length)),
    ...all.map((portion, index) => insertPart(address, index, portion)),
  ]
  const { isDone } = await commit(deps, { steps: [], beside, by: actorOf(session) })
  if (!isDone) throw writeConflict(jobKind)
  tasksOf(deps.store).note()
  return { task, warnings: [] }
}

/** Checks tickets, so that what cannot be done is refused at once; a job that is meant twice is meant where it comes first. */
async function gathered({ deps, session }: RunPlace, portions: AsyncIterable<RunPortion>) {
  const all: RunPortion[] = []
  const meant = new Set<string>()
  const pauses = new Pauses()
  let bytes = 0
  for await (const portion of portions) {
    const only: string[] = []
    for (const id of portion.only) {
      if (!meant.has(id)) only.push(id)
      meant.add(id)
    }
    for (const { name, ticket } of portion.files) {
      await pauses.take()
      deps.links.readOf(ticket, 'use', session.account.id)
      bytes += name.length + ticket.length
    }
    bytes += only.reduce((sum, id) => sum + id.length, 0)
    if (bytes > MOST_BYTES) throw tooLong()
    if (only.length > 0) all.push({ ...portion, only })
  }
  return all
}

function tooLong(): AppError {
  const message = `This names files and jobs in more than ${MOST_BYTES} bytes. Nothing was stored.`
  return new AppError(RECORD_ERRORS.tooManyTogether, message, {
    limit: MOST_BYTES,
    hint: 'Make one import after the other, or send folders of many files as archives.',
  })
}
