import { type Command, Option } from 'commander'
import { compose } from '../../app/compose.ts'
import type { Flags } from '../../app/config.ts'
import { loadConfig } from '../../app/config-file.ts'
import { createFirstUser } from '../../app/first-start.ts'
import { prepareSamples } from '../../app/prepare-samples.ts'
import { allowedValues, flagOf, SETTING_NAMES, type SettingName, settingOf } from '../../app/settings.ts'
import { firstStartNotice, localUrl } from '../first-start-notice.ts'
import { listen } from '../listen.ts'
import { print, tell } from '../output.ts'
import { stopSignal } from '../stop-signal.ts'

/** Adds `quarry serve`, which has every setting as a flag. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Serve the data directory, which is made if it is not there, until SIGTERM or Ctrl-C.')
    .option('--config <file>', 'configuration file (default: QUARRY_CONFIG, else quarry.json in the data directory)')
    .action((_flags, self: Command) => serve(givenFlags(self)))
  for (const name of SETTING_NAMES) command.addOption(optionOf(name))
}

async function serve(flags: Flags & { readonly config?: string }): Promise<void> {
  const stopped = stopSignal()
  const config = loadConfig(flags, process.env)
  const quarry = await compose(config)
  try {
    const url = await listen(quarry, config)
    // After listening: a start that fails for its port must not use up the only time that the password is shown.
    const firstUser = await createFirstUser(quarry.services)
    if (firstUser !== null) print(firstStartNotice(localUrl(url), firstUser))
    if (config.samples) await prepareSamples(quarry.services)
    print(`listening on ${url}`)
    const signal = await stopped
    tell(`${signal}: finishing the requests under way`)
  } finally {
    await quarry.close()
  }
}

/** Only what was typed: a default that commander fills in would hide the environment and the file. */
function givenFlags(command: Command): Flags & { readonly config?: string } {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli')
  return Object.fromEntries(given)
}

function optionOf(name: SettingName): Option {
  const setting = settingOf(name)
  const value = setting.kind === 'switch' ? '' : setting.kind === 'integer' ? ' <n>' : ' <text>'
  const bounds = setting.kind === 'text' || setting.kind === 'switch' ? '' : `; ${allowedValues(setting)}`
  const option = new Option(
    flagOf(name) + value,
    `${setting.doc.replaceAll('`', '')} (default: ${setting.default}${bounds})`,
  )
  return option.helpGroup(`${setting.group}:`)
}
