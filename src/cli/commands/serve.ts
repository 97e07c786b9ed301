import { type Command, Option } from 'commander'
import { type Flags, loadConfig } from '../../app/config.ts'
import { allowedValues, flagOf, SETTING_NAMES, type Setting, type SettingName, settingOf } from '../../app/settings.ts'

type ServeFlags = Flags & { readonly config?: string }

/** Adds `quarry serve`, which has every setting as a flag. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('Serve the data directory, which is made if it is not there, until SIGTERM, SIGHUP or Ctrl-C.')
    .option('--config <file>', 'configuration file (default: QUARRY_CONFIG, else quarry.json in the data directory)')
    .action((_flags, self: Command) => start(givenFlags(self)))
  for (const name of SETTING_NAMES) if (settingOf(name).kind !== 'secret') command.addOption(optionOf(name))
}

async function start(flags: ServeFlags): Promise<void> {
  // Loaded here: the other commands should not wait for an HTTP server that they do not start.
  const { serve } = await import('../serving/serve.ts')
  await serve(loadConfig(flags, process.env))
}

/** Only what was typed: a default that commander fills in would hide the environment and the file. */
function givenFlags(command: Command): ServeFlags {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli')
  return Object.fromEntries(given)
}

function optionOf(name: SettingName): Option {
  const setting = settingOf(name)
  const value =
    setting.kind === 'switch' ? '' : setting.kind === 'integer' || setting.kind === 'number' ? ' <n>' : ' <text>'
  return new Option(flagOf(name) + value, describe(setting)).helpGroup(`${setting.group}:`)
}

function describe(setting: Setting): string {
  if (setting.kind === 'switch') return plain(setting.flagDoc ?? setting.doc)
  const bounds = setting.kind === 'text' ? '' : `; ${allowedValues(setting)}`
  return `${plain(setting.doc)} (default: ${setting.default === '' ? 'none' : setting.default}${bounds})`
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}
