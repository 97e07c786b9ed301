import type { Command } from 'commander'
import { EXIT } from '../exit-code.ts'
import { print, printJson } from '../output.ts'
import { startProgress } from '../progress.ts'
import { type DataFlags, withDataFlags, withServices } from '../with-services.ts'

/** Adds `quarry check`: is the data directory sound? */
export function addCheckCommand(program: Command): void {
  withDataFlags(program.command('check'))
    .description('Verify the database file, every document, and the indexes against the documents.')
    .option('--json', 'print {"ok", "findings"} as JSON')
    .action(check)
}

async function check(flags: DataFlags & { readonly json?: boolean }): Promise<void> {
  const progress = startProgress('checking')
  const findings = await withServices(flags, ({ store }) => store.check(progress.update)).finally(progress.end)
  if (flags.json) printJson({ ok: findings.length === 0, findings })
  else print(findings.length === 0 ? 'ok' : findings.join('\n'))
  if (findings.length > 0) process.exitCode = EXIT.data
}
