import type { Session } from '../../accounts/session.ts'
import { followBulkChange } from '../../app/follow-bulk-change.ts'
import type { Services } from '../../app/open-services.ts'
import type { BulkAnswer, BulkOutcome, BulkRequest } from '../../records/use-cases/bulk-change.ts'
import { isUnderWay, readTask, type TaskTold } from '../../records/use-cases/bulk-tasks.ts'
import { actionOf } from '../../records/use-cases/change-of-each.ts'
import { type UndoOutcome, undoNotFound } from '../../records/use-cases/undo.ts'
import { EXIT } from './exit-code.ts'
import { print, printJson, tell, tellWarnings, withProgress } from './output.ts'

interface OutputFlags {
  readonly json?: boolean
}

/** Prints a change that was made at once, or what it would do. */
export function printMade(
  { outcome, warnings }: BulkAnswer,
  { change, dryRun }: BulkRequest,
  { json }: OutputFlags,
): void {
  tellWarnings(warnings)
  if (json) printJson(outcome)
  else printOutcome(outcome, { change, dryRun })
}

function printOutcome(outcome: BulkOutcome, { change, dryRun }: Pick<BulkRequest, 'change' | 'dryRun'>): void {
  const { matched, changed, others, undo, sample = [] } = outcome
  const what = DONE[actionOf(change)]
  const not = others === 0 ? '' : `, ${others} of other accounts stay as they are`
  if (!dryRun) {
    print(`${changed ?? 0} of ${matched} ${what}${not}`)
    if (undo !== null) tell(`\`quarry change undo ${undo}\` puts them back.`)
    return
  }
  print(`${matched} match${changed === null ? '' : `, ${changed} would be ${what}`}${not}`)
  for (const one of sample) print(JSON.stringify(one))
}

export function printUndone(outcome: UndoOutcome, { json }: OutputFlags): void {
  const { undone, skipped } = outcome
  if (json) printJson(outcome)
  else print(`${undone} put back, ${skipped.length} not`)
  for (const { _id, reason } of json ? [] : skipped) tell(`${_id}: ${reason}`)
  if (skipped.length > 0) process.exitCode = EXIT.failed
}

/** Waits for the end of a change that is carried out in portions, and prints how it ended. */
export async function finish(services: Services, session: Session, id: string, json = false): Promise<void> {
  const address = { accountId: session.account.id, id }
  tell(`change ${id}`)
  await withProgress('changing', async (update) => {
    for await (const { done, matched } of followBulkChange(services, address)) update(done, matched)
  })
  const task = await readTask(services.records, address.accountId, id)
  if (task === null) throw undoNotFound(id)
  const { told, work } = task
  const { refusals, warnings, error } = work
  tellWarnings(warnings)
  if (json) printJson({ ...told, refusals, warnings, error })
  else print(describe(told))
  for (const { _id, reason } of json ? [] : refusals) tell(`${_id}: ${reason}`)
  if (error !== null) tell(error.message)
  if (told.undo !== null) tell(`\`quarry change undo ${told.undo}\` puts them back.`)
  if (isUnderWay(told) || told.state !== 'done' || told.refused > 0) process.exitCode = EXIT.failed
}

const DONE = {
  update: 'changed',
  remove: 'deleted',
  recompute: 'brought up to date',
  import: 'stored',
  undo: 'put back',
} as const

function describe({ action, state, matched, done, count, unchanged, refused }: TaskTold): string {
  const early = state === 'done' ? '' : `, ${state} after ${done}`
  return `${count} of ${matched} ${DONE[action]}, ${unchanged} were so already, ${refused} refused${early}`
}
