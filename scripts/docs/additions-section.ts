import type { Addition, Notice, Place } from '../additions/addition.ts'

const BEGIN = '<!-- `npm run docs` writes this part from scripts/additions -->'
const END = '<!-- up to here -->'

/** Writes the tables of additions into the text of CONTRIBUTING.md, where they stand between two comments. */
export function withAdditions(text: string, additions: readonly Addition[]): string {
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`CONTRIBUTING.md needs the lines ${BEGIN} and ${END}.`)
  return `${text.slice(0, before)}${BEGIN}\n\n${additions.map(tableOf).join('\n\n')}\n\n${text.slice(after)}`
}

function tableOf({ what, about, places }: Addition): string {
  const title = `### ${what.slice(0, 1).toUpperCase()}${what.slice(1)}`
  const rows = places.map(rowOf).join('\n')
  const table = `| where | what goes there | when it is left out |\n|---|---|---|\n${rows}`
  return [title, ...(about === undefined ? [] : [about]), table].join('\n\n')
}

function rowOf({ where, write, noticedBy }: Place): string {
  const place = /^[a-z]+\/|^[A-Z]+\.md$/.test(where) ? `\`${where}\`` : where
  return `| ${place} | ${write} | ${noticeOf(noticedBy)} |`
}

function noticeOf(notice: Notice): string {
  return notice.by === 'test' ? `\`${notice.file}\`` : notice.by
}
