import type { Command } from 'commander'
import { checkData } from '../../app/check-data.ts'
import { EXIT } from '../exit-code.ts'
import { print, printJson, tell } from '../output.ts'
import { startProgress } from '../progress.ts'
import { assertHasData, configOf, type DataFlags, withDataFlags } from '../with-services.ts'

/** Adds `quarry check`: is the data directory sound? */
export function addCheckCommand(program: Command): void {
  withDataFlags(program.command('check'))
    .description(
      'Verify the database file and its log, every document, and the indexes against the documents. However damaged the file is, each ' +
        'fault is one line: the table, the page, the record. Nothing is written; a server may go on meanwhile.',
    )
    .option('--json', 'print {"ok", "findings"} as JSON')
    .action(check)
}

async function check(flags: DataFlags & { readonly json?: boolean }): Promise<void> {
  const config = configOf(flags)
  assertHasData(config)
  const progress = startProgress('checking')
  const { findings, remarks } = checkData(config, progress.update)
  progress.end()
  for (const remark of remarks) tell(remark)
  if (flags.json) printJson({ ok: findings.length === 0, findings })
  else print(findings.length === 0 ? 'ok' : findings.join('\n'))
  if (findings.length > 0) process.exitCode = EXIT.data
}
