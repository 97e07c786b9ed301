import type { WarningSpec } from '../../src/kernel/warnings.ts'
import { declaredIn } from './declared-in.ts'

/** One row of the catalogue of warnings, and the file that declares it, relative to `src`. */
export interface WarningRow extends WarningSpec {
  readonly file: string
}

const INTRODUCTION = `# Warnings

A valid request is carried out as it says, even when something else was probably meant. The answer is the one that MongoDB would give; warnings are
added beside it and change nothing in it.

\`\`\`json
{"status":"success","data":[],
 "warnings":[{"code":20001,"path":"query.latice.a",
   "message":"None of the materials that you can see has \\"latice.a\\", so the condition holds for none of them. Did you mean \\"lattice.a\\"?",
   "hint":"Did you mean \\"lattice.a\\"?"}]}
\`\`\`

- \`warnings\` is there only when there are any, at most 20; the header \`X-Warnings\` counts them. \`path\` says where, \`message\` what and what would
  be right, \`hint\` the latter once more for programs. Codes are 200 and two digits and never change their meaning.
- They depend on the request and on the records that you can see. A field or value that only records of others have is neither named nor suggested.
- Creating or changing a record warns of what is probably a mistake in it: beside \`data\`, and in the report of each record of an import. What was so
  before a change is not repeated. What checks found stays in the \`consistencyChecks\` of a material, where some findings have
  the severity \`info\` and are no warnings.
- \`strict=true\` makes the first warning a refusal (400, code 40065, all warnings in \`data.warnings\`): a parameter, or a field of the body, as the table below says. With the [setting](configuration.md) \`strict\` that is the default; \`strict=false\` then asks for the
  answer with its warnings. 20025 never refuses: it tells of the search, not of what was sent.
- A field that the kind documents and that no record has which you can see is told of where nothing comes of the request without it: a condition, a sort, the values of a field. Facets, points, columns and \`fields\` may name it: their answer
  says how many records are without it, or has nothing there. A field that the kind does not document is told of everywhere.
- What has no envelope has headers: an export \`X-Warnings\` and \`X-Warning-List\`, the warnings as JSON in ASCII, as many as fit into 4 KiB. OPTIMADE has
  \`meta.warnings\`. The [command line](cli.md) writes them to stderr. The page shows them above the results.
- While segments are being made of all records, after an update or by \`quarry reindex\`, there are no warnings about fields.

| where | what is looked at | \`strict\` |
|---|---|---|
| lists, \`search\`, \`explain\`, \`export\` in every format | the query, \`sort\`, \`fields\`; of a table \`columns\` | parameter, or field of the body |
| \`count\`, \`distinct\` | the query, and the field whose values are listed | parameter, or field of the body |
| \`facets\`, \`points\` | the query, and the fields that are counted or read: 20002 of bins and axes where none is a number | field of the body |
| \`ID/similar\` | the query | parameter |
| \`validate\` | the query and the projection; what is found is \`data.warnings\` | none: it refuses nothing |
| \`PATCH\` and \`DELETE\` of many records, dry runs too | the query, and each record as it would be | field of the body |
| creating and changing a record | the record as it would be | parameter |
| a saved query, created or changed | its \`query\`, \`sort\` and \`columns\`, as a list of its kind is told | parameter |
| undo | each record that comes back | none: it is what was there before |
| imports over HTTP, \`quarry import\` | each record, in its report | none: what is odd about one does not stop the others |
| \`GET /{kind}/fields\` | nothing: it takes no query, and names what is there | none |
| OPTIMADE | the filter, as the query that it stands for, in words of filters | none |
| \`quarry export\`, \`quarry explain\` | the query, and the projection | \`--strict\` of \`quarry export\` |`

/** Collects what every `warnings.ts` of the project declares, by code. */
export async function readWarnings(): Promise<readonly WarningRow[]> {
  const rows = await declaredIn<WarningSpec>('warnings.ts', '_WARNINGS')
  return rows.map(({ file, spec: { code, title } }) => ({ code, title, file })).sort((a, b) => a.code - b.code)
}

/** Writes the reference page of the warnings; the page in `docs/reference` is this text. */
export function warningsPage(catalogue: readonly WarningRow[]): string {
  const rows = catalogue.map(({ code, title, file }) => `| ${code} | ${withoutStop(title)} | ${file.split('/')[0]} |`)
  return `${INTRODUCTION}\n\n| code | what it stands for | room |\n|---|---|---|\n${rows.join('\n')}\n`
}

function withoutStop(title: string): string {
  return title.replace(/\.$/, '').replaceAll('|', '\\|')
}
