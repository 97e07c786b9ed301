import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Command, Option } from 'commander'
import { findUser } from '../../accounts/users.ts'
import { queryBounds } from '../../app/compose.ts'
import type { Services } from '../../app/open-services.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import type { Scope } from '../../query/plan.ts'
import { exportParts } from '../../records/exchange/export-parts.ts'
import { ExportTally } from '../../records/exchange/export-tally.ts'
import { NOT_EXPORTED } from '../../records/exchange/manifest.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { exportRecords } from '../../records/use-cases/read-records.ts'
import { listWarnings, refuseWarnings } from '../../records/warnings/field-guide.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { EXIT } from '../console/exit-code.ts'
import { writeExport, writeFailure } from '../console/export-target.ts'
import { kindNamed } from '../console/operator-session.ts'
import { startProgress, tell, tellWarnings } from '../console/output.ts'
import { configOf, type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface ExportFlags extends DataFlags {
  readonly kind?: string
  readonly query: string
  readonly user?: string
  readonly output?: string
  readonly to?: string
  readonly files: boolean
  readonly related: boolean
  readonly strict?: boolean
}

/** Adds `quarry export`: records as NDJSON, or with their files; `quarry import` takes both. */
export function addExportCommand(program: Command): void {
  withDataFlags(program.command('export'))
    .description(
      'Write records as NDJSON, one a line, in the order in which they were created; with --to, with their files and what belongs to them.',
    )
    .option('--kind <kind>', 'only records of this kind, such as materials (default: all kinds)')
    .option('--query <json>', 'only records that match this MongoDB query', '{}')
    .option('--user <name>', 'only what this user can see: own records and public ones (default: all records)')
    .option('--strict', 'refuse what a warning would be told of, before anything is written')
    .addOption(
      new Option('-o, --output <file>', 'write to a file, compressed if it ends in .gz (default: stdout)').conflicts(
        'to',
      ),
    )
    .option(
      '--to <target>',
      'write a folder, or an archive if it ends in .zip, that `quarry import` takes whole: a file of records for each kind, with the properties, jobs and methods of the materials and jobs that match, and the files of all. Into a folder, run again, it goes on where it was interrupted',
    )
    .option('--no-files', 'with --to, leave the files of the records out')
    .option('--no-related', 'with --to, only the records that match')
    .action(exportAll)
}

async function exportAll(flags: ExportFlags): Promise<void> {
  const filter = readFilter(flags)
  if (flags.to === undefined && !(flags.files && flags.related)) {
    throw new AppError(CLI_ERRORS.usage, '--no-files and --no-related say what --to leaves out.', {
      path: flags.files ? '--no-related' : '--no-files',
      hint: 'Without --to, records are written alone.',
    })
  }
  await withServices(flags, async (services) => {
    const kinds = flags.kind === undefined ? services.kinds : [kindNamed(services, flags.kind)]
    const scope = await scopeOf(services, flags.user)
    if (flags.strict === true) {
      const isEmpty = await isWithoutChunks(chunksOf(services, kinds, filter, scope))
      refuseWarnings(await warningsOfAll(services, kinds, { filter, scope, isEmpty }))
    }
    if (flags.to !== undefined) {
      const count = await exportWhole(services, { ...flags, to: flags.to }, { kinds, filter, scope })
      tellWarnings(await warningsOfAll(services, kinds, { filter, scope, isEmpty: count === 0 }))
      return
    }
    const chunks = chunksOf(services, kinds, filter, scope)
    const counter = new LineCounter()
    if (flags.output === undefined) await writeToStdout(chunks, counter)
    else await writeToFile(chunks, counter, resolve(flags.output))
    tellWarnings(await warningsOfAll(services, kinds, { filter, scope, isEmpty: counter.lines === 0 }))
  })
}

/** Reads the query before the data directory is opened: what is wrong with a command should not depend on the data. */
function readFilter(flags: ExportFlags): FilterNode {
  const bounds = queryBounds(configOf(flags))
  return parseFilter(parseQueryText(flags.query, bounds, '--query'), bounds, '--query')
}

async function scopeOf({ accounts }: Services, user: string | undefined): Promise<Scope> {
  if (user === undefined) return { kind: 'operator' }
  return { kind: 'account', accountId: (await findUser(accounts, user)).defaultAccountId }
}

async function* chunksOf({ records }: Services, kinds: readonly RecordKind[], filter: FilterNode, scope: Scope) {
  const request = { filter, sort: [], fields: null, skip: 0, limit: 1 }
  for (const kind of kinds) yield* exportRecords({ deps: records, kind, session: { scope } }, request)
}

interface Selected {
  readonly kinds: readonly RecordKind[]
  readonly filter: FilterNode
  readonly scope: Scope
}

/** Writes records with their files; gives the number of records. */
async function exportWhole(
  { records, kinds: all }: Services,
  { to, files, related }: Required<Pick<ExportFlags, 'to' | 'files' | 'related'>>,
  { kinds, filter, scope }: Selected,
): Promise<number> {
  const progress = startProgress(to)
  const tally = new ExportTally(all, (bytes) => progress.update(bytes, null))
  const session = { scope }
  const parts = exportParts({ deps: records, session, kinds, request: { filter, sort: [] }, related, files })
  try {
    await writeExport(to, { parts, files: records.files, tally })
  } finally {
    progress.end()
  }
  const { counts, faults } = tally
  tell(`exported ${counts.records} records and ${counts.files} files (${counts.bytes} bytes) to ${to}`)
  for (const fault of faults.slice(0, MOST_TOLD)) tell(fault)
  if (faults.length > MOST_TOLD) tell(`and ${faults.length - MOST_TOLD} more; ${NOT_EXPORTED} names all`)
  if (faults.length > 0) process.exitCode = EXIT.failed
  return counts.records
}

/** Faults of files beyond these are in the export alone. */
const MOST_TOLD = 20

async function isWithoutChunks(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  for await (const chunk of chunks) if (chunk.length > 0) return false
  return true
}

interface Exported {
  readonly filter: FilterNode
  readonly scope: Scope
  readonly isEmpty: boolean
}

/** Warnings that hold for every exported kind: a field that one of them has needs no warning. */
async function warningsOfAll(
  { records }: Services,
  kinds: readonly RecordKind[],
  { filter, scope, isEmpty }: Exported,
): Promise<readonly Warning[]> {
  const asked = { filter, sort: [], fields: null }
  const [first = [], ...others] = await Promise.all(
    kinds.map((kind) => listWarnings({ deps: records, kind, session: { scope } }, asked, isEmpty)),
  )
  return first.filter(({ code, path }) =>
    others.every((warnings) => warnings.some((other) => other.code === code && other.path === path)),
  )
}

async function writeToStdout(chunks: AsyncIterable<Buffer>, counter: LineCounter): Promise<void> {
  try {
    await pipeline(chunks, counter, process.stdout, { end: false })
  } catch (error) {
    // A reader that has seen enough, such as `head`, is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** The file gets its name when it is complete. */
async function writeToFile(chunks: AsyncIterable<Buffer>, counter: LineCounter, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    const target = createWriteStream(partial, { mode: 0o600 })
    if (file.endsWith('.gz')) await pipeline(chunks, counter, createGzip(), target)
    else await pipeline(chunks, counter, target)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw writeFailure(error, file)
  }
  tell(`exported ${counter.lines} records to ${file}`)
}

const NEWLINE = 10

/** Passes bytes on and counts the lines. */
class LineCounter extends Transform {
  lines = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.lines += 1
    done(null, chunk)
  }
}
