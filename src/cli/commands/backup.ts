import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import { CLI_ERRORS } from '../errors.ts'
import { print, printJson } from '../output.ts'
import { startProgress } from '../progress.ts'
import { type DataFlags, withDataFlags, withServices } from '../with-services.ts'

interface BackupFlags extends DataFlags {
  readonly force?: boolean
  readonly json?: boolean
}

/** Adds `quarry backup`: a consistent copy, taken while others read and write. */
export function addBackupCommand(program: Command): void {
  withDataFlags(program.command('backup'))
    .description('Write a consistent copy of all data to one file, also while the server runs.')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print {"file", "bytes"} as JSON')
    .action(backup)
}

async function backup(name: string, flags: BackupFlags): Promise<void> {
  const file = resolve(name)
  if (!flags.force && existsSync(file)) {
    throw new AppError(CLI_ERRORS.fileExists, `${file} exists already.`, {
      hint: 'Choose another name, or replace it with --force.',
    })
  }
  const progress = startProgress('backing up')
  await withServices(flags, ({ store }) => store.backup(file, progress.update)).finally(progress.end)
  const bytes = statSync(file).size
  if (flags.json) printJson({ file, bytes })
  else print(`wrote ${file} (${bytes} bytes)`)
}
