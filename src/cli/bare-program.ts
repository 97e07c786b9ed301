import { Command } from 'commander'

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
