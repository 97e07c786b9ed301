import type { Addition, Notice, Place } from '../additions/addition.ts'
import { withPart } from './marked-part.ts'

const BEGIN = '<!-- `npm run docs` writes this part from scripts/additions -->'
/** Writes the tables of additions into the text of their page. */
export function withAdditions(text: string, additions: readonly Addition[]): string {
  return withPart(text, BEGIN, additions.map(tableOf).join('\n\n'))
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
