import type { Command } from 'commander'
import { checkFiles } from '../../app/data-files.ts'
import { checkData } from '../../app/restore-data.ts'
import { EXIT } from '../console/exit-code.ts'
import { print, printJson, tell, withProgress } from '../console/output.ts'
import { assertHasData, configOf, type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

/** Adds `quarry check`: is the data directory sound? */
export function addCheckCommand(program: Command): void {
  withDataFlags(program.command('check'))
    .description(
      'Verify the database file and its log, every document, and the indexes against the documents. However damaged the file is, each ' +
        'fault is one line: the table, the page, the record. The files of records are read, and named where they are missing or damaged. ' +
        'Nothing is written; a server may go on meanwhile.',
    )
    .option('--no-files', 'leave the files of records out, which may be many times the database')
    .option('--json', 'print {"ok", "findings"} as JSON')
    .action(check)
}

interface CheckFlags extends DataFlags {
  readonly json?: boolean
  readonly files: boolean
}

async function check(flags: CheckFlags): Promise<void> {
  const config = configOf(flags)
  assertHasData(config)
  const { findings, remarks } = await withProgress('checking', (update) =>
    config.databaseUrl === ''
      ? checkData(config, update)
      : withServices(flags, async ({ store }) => ({ findings: await store.check(update), remarks: [] })),
  )
  for (const remark of remarks) tell(remark)
  const isDamaged = findings.length > 0
  const ofFiles = flags.files
    ? await withProgress('checking files', (update) => checkFiles(config, isDamaged, update))
    : []
  const all = [...findings, ...ofFiles]
  if (flags.json) printJson({ ok: all.length === 0, findings: all })
  else print(all.length === 0 ? 'ok' : all.join('\n'))
  if (all.length > 0) process.exitCode = EXIT.data
}

/** Adds `quarry reindex`: makes what is derived from the documents anew. */
export function addReindexCommand(program: Command): void {
  withDataFlags(program.command('reindex'))
    .description(
      'Make all segments of columns anew from the documents, for instance after `quarry check` has found a fault in them. A server ' +
        'may go on meanwhile: its lists stay right; over a file, they read what no segment has yet, and exports wait until the end. ' +
        'When it is interrupted, run it again: it goes on where it was; over a file, so does a server that is started.',
    )
    .action(reindex)
}

async function reindex(flags: DataFlags): Promise<void> {
  await withProgress('indexing', (update) => withServices(flags, ({ store }) => store.reindex(update)))
  print('indexed')
}
