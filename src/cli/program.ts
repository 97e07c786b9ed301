import { Command } from 'commander'
import { addBackupCommand } from './commands/backup.ts'
import { addCheckCommand } from './commands/check.ts'
import { addExportCommand } from './commands/export.ts'
import { addImportCommand } from './commands/import.ts'
import { addOrganizationCommand } from './commands/organization.ts'
import { addRestoreCommand } from './commands/restore.ts'
import { addServeCommand } from './commands/serve.ts'
import { addTokenCommand } from './commands/token.ts'
import { addUserCommand } from './commands/user.ts'
import { addVersionCommand } from './commands/version.ts'

/** In the order of `quarry --help`: what is needed first comes first. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addServeCommand,
  addUserCommand,
  addOrganizationCommand,
  addTokenCommand,
  addImportCommand,
  addExportCommand,
  addCheckCommand,
  addBackupCommand,
  addRestoreCommand,
  addVersionCommand,
]

const EXIT_CODES = `
Exit codes:
  0  all was done
  1  it was not done, or only in part
  2  the command, a flag or a setting is wrong; nothing was tried
  3  the data directory is missing, damaged, of a newer version or cannot be reached`

/** Assembles the command line. It throws where commander would end the process. */
export function buildProgram(): Command {
  const program = new Command('quarry')
    .description('A web API for materials and methods that answers MongoDB queries.')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ helpWidth: 100 })
    .addHelpText('after', EXIT_CODES)
  for (const add of COMMANDS) add(program)
  return program
}
