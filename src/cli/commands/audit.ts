import { type Command, InvalidArgumentError, Option } from 'commander'
import { findUser } from '../../accounts/users.ts'
import { nearestName } from '../../kernel/names.ts'
import { AUDIT_ACTIONS, type AuditRow } from '../../store/port/audit.ts'
import { instant, print, printTable, tell } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface AuditFlags extends DataFlags {
  readonly user?: string
  readonly action?: string
  readonly object?: string
  readonly request?: string
  readonly since?: number
  readonly until?: number
  readonly limit: number
  readonly json?: boolean
}

/** Adds `quarry audit`: who did what. */
export function addAuditCommand(program: Command): void {
  withDataFlags(program.command('audit'))
    .description(
      'Show who changed, published and deleted what, who logged in or failed to, and from where; the latest last.',
    )
    .option('--user <name>', 'what was done by the user with this name or e-mail address')
    .option(
      '--action <name>',
      `an action, such as record.published, or all about one thing, such as record`,
      readAction,
    )
    .option('--object <id>', 'what was done to the record, user, account or token with this id')
    .option('--request <id>', 'what was done in one request: its X-Request-Id')
    .option('--since <time>', 'from then on: 2026-01-15, 2026-01-15T12:00:00Z, or 24h, 7d, 4w ago', readTime)
    .option('--until <time>', 'before then', readTime)
    .addOption(new Option('--limit <n>', 'the latest so many').argParser(readCount).default(100))
    .option('--json', 'print the rows as JSON, one a line')
    .action(audit)
}

async function audit({
  user,
  json,
  limit,
  action,
  object,
  request,
  since,
  until,
  ...flags
}: AuditFlags): Promise<void> {
  const asked = { action, object, request, since, until }
  const rows = await withServices(flags, async ({ accounts, store }) => {
    const userId = user === undefined ? undefined : (await findUser(accounts, user)).id
    const given = Object.fromEntries(Object.entries({ ...asked, userId }).filter(([, value]) => value !== undefined))
    // One more tells whether there are more.
    return store.audit.read({ ...given, limit: limit + 1 })
  })
  const shown = rows.slice(-limit)
  if (json) for (const row of shown) print(JSON.stringify(present(row)))
  else printRows(shown)
  if (rows.length > limit) tell(`There are older rows: --limit ${10 * limit} shows more of them.`)
}

function printRows(rows: readonly AuditRow[]): void {
  printTable(
    rows,
    [
      ['TIME', ({ at }) => instant(at)],
      ['ACTION', ({ action }) => action],
      ['USER', ({ user }) => user?.name ?? user?.id ?? ''],
      ['ACCOUNT', ({ account }) => account?.slug ?? account?.id ?? ''],
      ['FROM', ({ via, address }) => (address === null ? via : `${via} ${address}`)],
      ['REQUEST', ({ request }) => request ?? ''],
      ['WHAT', whatOf],
    ],
    'The audit has no such row.',
  )
}

function whatOf({ kind, object, version, details }: AuditRow): string {
  const what = object === null ? kind : `${kind}/${object}`
  const more = Object.entries(details ?? {}).map(([name, value]) => `${name}=${value}`)
  return [what, ...(version === null ? [] : [`version=${version}`]), ...more].join(' ')
}

function present({ at, ...row }: AuditRow): object {
  return { at: new Date(at).toISOString(), ...row }
}

function readAction(text: string): string {
  const actions = Object.keys(AUDIT_ACTIONS)
  const subjects = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))]
  if ([...actions, ...subjects].includes(text)) return text
  const close = nearestName(text, [...actions, ...subjects])
  throw new InvalidArgumentError(close === null ? `The actions are ${actions.join(', ')}.` : `Did you mean ${close}?`)
}

const HOURS_IN = { h: 1, d: 24, w: 168 } as const
const HOUR_MS = 3_600_000

function readTime(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (count !== undefined) return Date.now() - Number(count) * HOURS_IN[unit as keyof typeof HOURS_IN] * HOUR_MS
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a date, a time with its zone, or 24h, 7d, 4w.')
  return time
}

function readCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1_000_000) return count
  throw new InvalidArgumentError('Write a number from 1 to 1000000.')
}
