import { type Command, Option } from 'commander'
import { queryBounds } from '../../app/compose.ts'
import type { Services } from '../../app/open-services.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonObject } from '../../kernel/json.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { beginUndo, changeMany } from '../../records/use-cases/begin-task.ts'
import type { BulkRequest } from '../../records/use-cases/bulk-change.ts'
import type { ChangeOfEach } from '../../records/use-cases/change-of-each.ts'
import { cancelBulkChange } from '../../records/use-cases/follow-tasks.ts'
import { type Collections, undoChange } from '../../records/use-cases/undo.ts'
import { listBulkChanges } from '../../records/use-cases/undo-entries.ts'
import { finish, printMade, printUndone } from '../console/bulk-change-output.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { kindNamed, operatorSession } from '../console/operator-session.ts'
import { printJson, printTable, tell } from '../console/output.ts'
import { configOf, type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface ChangeFlags extends DataFlags {
  readonly user: string
  readonly account?: string
  readonly json?: boolean
}

interface MakeFlags extends ChangeFlags {
  readonly kind: string
  readonly query: string
  readonly change?: string
  readonly delete?: boolean
  readonly recompute?: boolean
  readonly expect?: string
  readonly dryRun?: boolean
  readonly strict?: boolean
}

/** Adds `quarry change`: changes of many records, as the page and the API make them. */
export function addChangeCommand(program: Command): void {
  const change = program
    .command('change')
    .description('Change, delete or compute again all records of an account that a query matches, and undo changes.')

  withUser(change.command('make'))
    .description(
      'Change, delete or compute again all records of the account that a query matches. Up to 1,000 are changed together or not at all; more in portions, ' +
        'with what is refused named at the end. When it is interrupted, a running server goes on, or `quarry change watch`.',
    )
    .requiredOption('--kind <kind>', 'what the records are, such as materials')
    .requiredOption('--query <json>', 'the MongoDB query that they match')
    .addOption(
      new Option('--change <json>', 'what becomes of each: {"$addToSet":{"tags":"checked"}}').conflicts([
        'delete',
        'recompute',
      ]),
    )
    .addOption(new Option('--delete', 'delete them, so that they can be restored').conflicts('recompute'))
    .option(
      '--recompute',
      'compute anew what follows from them, such as the space group; no version comes of it, and it is not undone',
    )
    .option('--expect <number>', 'how many match, as --dry-run tells it; needed without --dry-run')
    .option('--dry-run', 'tell how many match, and what would become of the first; nothing is written')
    .option('--strict', 'refuse what a warning would be told of')
    .option('--json', 'print the outcome as JSON')
    .action(make)

  withUser(change.command('list'))
    .description('List the changes of many records of an account: those under way, and those of the last 30 days.')
    .option('--json', 'print them as JSON')
    .action(list)

  withUser(change.command('watch'))
    .description('Wait until a change is over, with its progress; carry it out meanwhile where no server does.')
    .argument('<id>', 'the id of the change, from `quarry change list`')
    .option('--json', 'print how it ended as JSON')
    .action(watch)

  withUser(change.command('cancel'))
    .description('End a change after the portion under way. What it has done stays, and can be undone.')
    .argument('<id>', 'the id of the change, from `quarry change list`')
    .action(cancel)

  withUser(change.command('undo'))
    .description('Put back what a change has done; records that were changed since stay as they are.')
    .argument('<id>', 'the id of the change, from `quarry change list`')
    .option('--json', 'print the outcome as JSON')
    .action(undo)
}

function withUser(command: Command): Command {
  return withDataFlags(command)
    .requiredOption('--user <name>', 'whose records they are, and who changes them')
    .option('--account <name>', 'the account that they belong to (default: the personal account of the user)')
}

/** Runs work on an account's changes. */
function withChanges<T>(flags: ChangeFlags, run: (services: Services, of: Collections) => Promise<T>): Promise<T> {
  return withServices(flags, async (services) => {
    const session = await operatorSession(services.accounts, flags.user, flags.account)
    return run(services, { deps: services.records, session })
  })
}

async function make(flags: MakeFlags): Promise<void> {
  const request = readRequest(flags)
  await withChanges(flags, async (services, of) => {
    const answer = await changeMany({ ...of, kind: kindNamed(services, flags.kind) }, request)
    if ('task' in answer) await finish(services, of.session, answer.task._id, flags.json)
    else printMade(answer, request, flags)
  })
}

function readRequest(flags: MakeFlags): BulkRequest {
  const bounds = queryBounds(configOf(flags))
  const meant = { filter: parseFilter(parseQueryText(flags.query, bounds, '--query'), bounds, '--query') }
  const { dryRun = false, strict = false } = flags
  return { meant, change: readChange(flags), dryRun, strict, expectedCount: readExpected(flags) }
}

function readChange({ change, delete: isRemoval = false, recompute = false }: MakeFlags): ChangeOfEach {
  if (isRemoval) return null
  if (recompute) return 'recompute'
  const parsed = change === undefined ? undefined : parseQueryText(change, undefined, '--change')
  if (isJsonObject(parsed)) return parsed
  throw new AppError(CLI_ERRORS.usage, 'It is not said what becomes of the records.', {
    path: '--change',
    hint: 'For example --change \'{"$addToSet":{"tags":"checked"}}\'; or --delete, or --recompute.',
  })
}

function readExpected({ expect, dryRun = false }: MakeFlags): number | undefined {
  if (expect === undefined && dryRun) return undefined
  const count = Number(expect)
  if (expect !== undefined && Number.isSafeInteger(count) && count >= 0) return count
  throw new AppError(CLI_ERRORS.usage, 'How many records match has to be said as a whole number.', {
    path: '--expect',
    hint: '--dry-run tells it, and changes nothing.',
  })
}

async function list(flags: ChangeFlags): Promise<void> {
  const changes = await withChanges(flags, (_, of) => listBulkChanges(of))
  if (flags.json) return printJson(changes)
  printTable(
    changes,
    [
      ['ID', ({ _id }) => _id],
      ['WHEN', ({ at }) => at],
      ['WHAT', ({ collection, action }) => `${action} ${collection}`],
      ['STATE', (one) => ('done' in one && one.ended === null ? `${one.state} ${one.done}/${one.matched}` : one.state)],
      ['CHANGED', ({ count }) => String(count)],
      ['REFUSED', (one) => ('refused' in one ? String(one.refused) : '0')],
      ['UNDO', ({ undo: by }) => (by === null ? '' : 'yes')],
    ],
    'There are no changes of many records in the last 30 days.',
  )
}

async function watch(id: string, flags: ChangeFlags): Promise<void> {
  await withChanges(flags, (services, { session }) => finish(services, session, id, flags.json))
}

async function cancel(id: string, flags: ChangeFlags): Promise<void> {
  const { state } = await withChanges(flags, (_, of) => cancelBulkChange(of, id))
  const isOver = state !== 'waiting' && state !== 'running'
  tell(isOver ? `It is over: ${state}.` : 'It ends after the portion under way.')
}

async function undo(id: string, flags: ChangeFlags): Promise<void> {
  await withChanges(flags, async (services, of) => {
    const begun = await beginUndo(of, id)
    if (begun !== null) return finish(services, of.session, begun.task._id, flags.json)
    printUndone((await undoChange(of, services.kinds, id)).outcome, flags)
  })
}
