import type { Command } from 'commander'

const INTRODUCTION = `# Command line

\`quarry\` is \`npx quarry\` in the directory of the checkout, once it is built; \`npm link\` makes it a command everywhere. Every command works on one data directory, also while a
server runs on it: the server sees what a command did at its next request.

Results go to stdout, everything else to stderr. Where a command prints data, \`--json\` prints it for programs. Scripts can
rely on the exit codes:

| code | meaning |
|---|---|
| 0 | all was done |
| 1 | it was not done, or only in part: records were refused, a name was taken, nothing has that id |
| 2 | the command, a flag or a setting is wrong; nothing was tried |
| 3 | the data directory is missing, damaged, of a newer version or cannot be reached |

A second SIGINT or SIGTERM ends \`quarry serve\` at once, with 130 or 143.`

/** Writes the reference page of the commands out of their own help; the page in \`docs/reference\` is this text. */
export function cliPage(program: Command): string {
  const sections = leavesOf(program).map((command) => {
    const help = command.helpInformation().trimEnd()
    return `## ${fullName(command)}\n\n\`\`\`text\n${help}\n\`\`\``
  })
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`
}

/** The commands that do something, as opposed to those that only group others. */
export function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

/** The command with the names before it: `quarry user create`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}
