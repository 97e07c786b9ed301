import { Command } from 'commander'
import { VERSION } from '../kernel/project-files.ts'

const EXIT_CODES = `
Exit codes:
  0  all was done
  1  it was not done, or only in part
  2  the command, a flag or a setting is wrong; nothing was tried
  3  the data directory is missing, damaged, of a newer version or cannot be reached`

type Add = (program: Command) => void

/** Commands as `quarry --help` lists them, each loaded when called: loading the store and the server takes longer than reading a file. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  user: async () => (await import('./commands/user.ts')).addUserCommand,
  organization: async () => (await import('./commands/organization.ts')).addOrganizationCommand,
  token: async () => (await import('./commands/token.ts')).addTokenCommand,
  import: async () => (await import('./commands/import.ts')).addImportCommand,
  export: async () => (await import('./commands/export.ts')).addExportCommand,
  change: async () => (await import('./commands/change.ts')).addChangeCommand,
  convert: async () => (await import('./commands/convert.ts')).addConvertCommand,
  build: async () => (await import('./commands/build.ts')).addBuildCommand,
  analyze: async () => (await import('./commands/analyze.ts')).addAnalyzeCommand,
  explain: async () => (await import('./commands/explain.ts')).addExplainCommand,
  audit: async () => (await import('./commands/audit.ts')).addAuditCommand,
  check: async () => (await import('./commands/check.ts')).addCheckCommand,
  recompute: async () => (await import('./commands/recompute.ts')).addRecomputeCommand,
  reindex: async () => (await import('./commands/check.ts')).addReindexCommand,
  samples: async () => (await import('./commands/samples.ts')).addSamplesCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  version: async () => (await import('./commands/version.ts')).addVersionCommand,
}

/** Assembles the command line as far as these arguments need it: the command that they begin with, or all. It throws where commander would end the process. */
export async function loadProgram([name = '']: readonly string[] = []): Promise<Command> {
  const program = new Command('quarry')
    .description('A web API for materials and methods that answers MongoDB queries.')
    .version(`quarry ${VERSION}`, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ helpWidth: 100 })
    .addHelpText('after', EXIT_CODES)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  for (const each of load === undefined ? Object.values(COMMANDS) : [load]) {
    const add = await each()
    add(program)
  }
  return program
}
