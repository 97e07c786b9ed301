import { CONFIG_FILE_NAME, CONFIG_VARIABLE } from '../../src/app/config.ts'
import {
  allowedValues,
  flagOf,
  SETTING_NAMES,
  type SettingGroup,
  settingOf,
  variableOf,
} from '../../src/app/settings.ts'

const GROUPS: readonly SettingGroup[] = ['Server', 'Requests', 'Queries', 'Records', 'Accounts']

const INTRODUCTION = `# Configuration

Every setting has a default that suits a lab: nothing has to be configured. A value is looked up in this order, and the first place that has it wins:

1. the flag of \`quarry serve\` (or after \`npm start --\`),
2. the environment variable,
3. the configuration file: \`${CONFIG_FILE_NAME}\` in the data directory, or the file that \`--config FILE\` or
   \`${CONFIG_VARIABLE}\` names. It is one JSON object whose keys are the names below:
   \`{"port": 8080, "timeBudgetMs": 2000}\`,
4. the default.

A setting that does not exist, an environment variable that starts with \`QUARRY_\` and is not listed here, and a value out
of bounds are refused at the start, all of them at once, naming where they came from. The commands other than \`serve\` take
\`--data\` and \`--config\` as flags, and the rest from the environment and the file.`

/** Writes the reference page of the settings; the page in \`docs/reference\` is this text. */
export function settingsPage(): string {
  return `${[INTRODUCTION, ...GROUPS.map(groupSection)].join('\n\n')}\n`
}

function groupSection(group: SettingGroup): string {
  const rows = SETTING_NAMES.filter((name) => settingOf(name).group === group).map((name) => {
    const setting = settingOf(name)
    const cells = [
      `\`${name}\``,
      setting.doc,
      setting.default === '' ? 'none' : `\`${setting.default}\``,
      allowedValues(setting),
      setting.kind === 'secret' ? 'none' : `\`${flagOf(name)}\``,
      `\`${variableOf(name)}\``,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = '| name | what it does | default | allowed | flag | environment |\n|---|---|---|---|---|---|'
  return `## ${group}\n\n${head}\n${rows.join('\n')}`
}
