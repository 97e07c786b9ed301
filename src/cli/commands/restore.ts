import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { describeFaults } from '../../app/data-files.ts'
import { databaseFile } from '../../app/open-services.ts'
import { restoreData } from '../../app/restore-data.ts'
import { AppError } from '../../kernel/errors.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { findInputFile } from '../console/input-file.ts'
import { print, tell, withProgress } from '../console/output.ts'
import { configOf, type DataFlags, withDataFlags } from '../console/with-services.ts'

/** Adds `quarry restore`: the way back from a backup. */
export function addRestoreCommand(program: Command): void {
  withDataFlags(program.command('restore'))
    .description(
      'Put a backup into the data directory, or into the PostgreSQL database that databaseUrl names, after verifying it. No server may run ' +
        'on either. Until all of it is there, the data are what they were. The files of records come from the folder quarry-files beside the ' +
        'backup, each verified; when some are missing or damaged, nothing is restored unless --incomplete says so.',
    )
    .argument('<file>', 'a file that `quarry backup` wrote')
    .option('--force', 'replace the data that is there')
    .option('--incomplete', 'restore also when files of records are missing or damaged; each is named')
    .action(restore)
}

interface RestoreFlags extends DataFlags {
  readonly force?: boolean
  readonly incomplete?: boolean
}

async function restore(name: string, flags: RestoreFlags): Promise<void> {
  const file = findInputFile(resolve(name)).name
  const config = configOf(flags)
  if (config.databaseUrl === '' && !flags.force && existsSync(databaseFile(config))) {
    throw new AppError(CLI_ERRORS.fileExists, `The data directory ${config.data} has a database already.`, {
      hint: 'Replace it with --force, or name another directory with --data.',
    })
  }
  const { force = false, incomplete: isIncomplete = false } = flags
  const { place, files } = await withProgress('restoring', (progress) =>
    restoreData(file, config, { force, isIncomplete, progress }),
  )
  for (const fault of describeFaults(files.faults)) tell(fault)
  print(`restored ${file} to ${place}`)
  if (files.count > 0) print(`${files.count} files (${files.bytes} bytes), of which ${files.copied} were copied`)
}
