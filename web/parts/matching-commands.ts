import type { Command } from '../app/page-commands.ts'

/** The commands that have every word of a text in their name or group; those whose name begins with it first, else in their order. */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const sought = text.trim().toLowerCase()
  const words = sought.split(/\s+/)
  const found = commands.filter(({ title, group }) => {
    const said = `${title} ${group}`.toLowerCase()
    return words.every((word) => said.includes(word))
  })
  const begins = ({ title }: Command) => title.toLowerCase().startsWith(sought)
  return [...found.filter(begins), ...found.filter((one) => !begins(one))]
}
