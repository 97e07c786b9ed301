import type { Command } from 'commander'
import { bareProgram } from './bare-program.ts'
import { addAnalyzeCommand } from './commands/analyze.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addCheckCommand } from './commands/check.ts'
import { addConvertCommand } from './commands/convert.ts'
import { addExplainCommand } from './commands/explain.ts'
import { addExportCommand } from './commands/export.ts'
import { addImportCommand } from './commands/import.ts'
import { addOrganizationCommand } from './commands/organization.ts'
import { addRecomputeCommand } from './commands/recompute.ts'
import { addReindexCommand } from './commands/reindex.ts'
import { addRestoreCommand } from './commands/restore.ts'
import { addSamplesCommand } from './commands/samples.ts'
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
  addVersionCommand,
]

/** Assembles the command line. It throws where commander would end the process. */
export function buildProgram(): Command {
  const program = bareProgram()
  for (const add of COMMANDS) add(program)
  return program
}
