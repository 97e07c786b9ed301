import type { CatalogueRow } from './error-catalogue.ts'

const INTRODUCTION = `# Errors

Every refusal has a code: the HTTP status followed by two digits. A code never changes its meaning and is not used again
after it is retired. Over HTTP it comes in the envelope that the [API reference](api.md) describes:

\`\`\`json
{"status":"fail","code":40003,"message":"Unknown query operator \\"$gtt\\" at query.lattice.a. Did you mean $gt?",
 "data":{"path":"query.lattice.a.$gtt","hint":"…","requestId":"…"}}
\`\`\`

\`status\` is \`fail\` for 4xx and \`error\` for 5xx. \`message\` is for people: what, where, and what would be right. \`data.path\`
and \`data.hint\` say it for programs. The [command line](cli.md) prints the message and ends with an exit code of its own.`

/** Writes the reference page of the error codes; the page in \`docs/reference\` is this text. */
export function errorsPage(catalogue: readonly CatalogueRow[]): string {
  const rows = catalogue.map(({ code, title, file }) => `| ${code} | ${withoutStop(title)} | ${file.split('/')[0]} |`)
  return `${INTRODUCTION}\n\n| code | what it stands for | room |\n|---|---|---|\n${rows.join('\n')}\n`
}

function withoutStop(title: string): string {
  return title.replace(/\.$/, '').replaceAll('|', '\\|')
}
