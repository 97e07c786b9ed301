import { Command } from 'commander'
import { addAnalyzeCommand } from './commands/analyze.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addCheckCommand, addReindexCommand } from './commands/check.ts'
import { addConvertCommand } from './commands/convert.ts'
import { addExplainCommand } from './commands/explain.ts'
import { addExportCommand } from './commands/export.ts'
import { addImportCommand } from './commands/import.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrganizationCommand } from './commands/organization.ts'
import { addRecomputeCommand } from './commands/recompute.ts'
import { addRestoreCommand } from './commands/restore.ts'
import { addSamplesCommand } from './commands/samples.ts'
import { addServeCommand } from './commands/serve.ts'
import { addTokenCommand } from './commands/token.ts'
import { addUserCommand } from './commands/user.ts'
import { addVersionCommand } from './commands/version.ts'

const EXIT_CODES = `
Exit codes:
  0  all was done
  1  it was not done, or only in part
  2  the command, a flag or a setting is wrong; nothing was tried
  3  the data directory is missing, damaged, of a newer version or cannot be reached`

/** The command line without commands. It throws where commander would end the process. */
export function bareProgram(): Command {
  return new Command('quarry')
    .description('A web API for materials and methods that answers MongoDB queries.')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ helpWidth: 100 })
    .addHelpText('after', EXIT_CODES)
}

/** In the order of `quarry --help`: what is needed first comes first. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addServeCommand,
  addUserCommand,
  addOrganizationCommand,
  addTokenCommand,
  addImportCommand,
  addExportCommand,
  addConvertCommand,
  addAnalyzeCommand,
  addExplainCommand,
  addAuditCommand,
  addCheckCommand,
  addRecomputeCommand,
  addReindexCommand,
  addSamplesCommand,
  addBackupCommand,
  addRestoreCommand,
  addMigrateCommand,
  addVersionCommand,
]

/** Assembles the command line. It throws where commander would end the process. */
export function buildProgram(): Command {
  const program = bareProgram()
  for (const add of COMMANDS) add(program)
  return program
}
