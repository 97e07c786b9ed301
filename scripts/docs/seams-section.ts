import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { withPart } from './marked-part.ts'

const BEGIN = '<!-- `npm run docs` writes this part from the interfaces -->'

/** What is implemented more than once, or could be: the interface, the file of `src`, and where one is chosen or listed. */
const SEAMS: readonly (readonly [name: string, file: string, where: string])[] = [
  ['Store', 'store/port/store.ts', 'opened by `app/open-services`, which alone names a concrete one'],
  ['RecordStore', 'store/port/record-store.ts', 'a part of a store'],
  ['RowSource', 'store/port/rows.ts', 'what is moved from, opened by `app/migrate-data`'],
  ['RowTarget', 'store/port/rows.ts', 'what is moved to, opened there too'],
  ['ColumnSource', 'engine/evaluate-values.ts', 'what a store gives the engine of a segment'],
  ['SegmentView', 'engine/page-documents.ts', 'the same, for pages'],
  ['TailRecord', 'engine/page-documents.ts', 'what a store gives the engine of a tail'],
  ['DocumentRequest', 'engine/page-documents.ts', 'what the engine asks a store for while it works'],
  ['RecordKind', 'records/record-kind.ts', 'listed in `records/kinds/record-kinds`'],
  ['StructureFormat', 'structure/formats/common/format.ts', 'listed in `structure/formats/registry`'],
  ['OperandParser', 'query/filter/operator.ts', 'every operator of filters, listed in `query/filter/registry`'],
  ['Operator', 'query/filter/operator.ts', 'one that a parsed filter can hold'],
  ['ExpressionOperator', 'query/expressions/language/operator.ts', 'grouped, listed in `query/expressions/registry`'],
]

/** Writes the tables of the seams into the text of the page of the interfaces. */
export function withSeams(text: string): string {
  return withPart(text, BEGIN, SEAMS.map(tableOf).join('\n\n'))
}

function tableOf([name, file, where]: (typeof SEAMS)[number]): string {
  const members = membersOf(name, file).map(([member, meaning]) => `| \`${member}\` | ${meaning} |`)
  return `\`${name}\` (\`${file}\`): ${where}\n\n| member | what it is |\n|---|---|\n${members.join('\n')}`
}

/** The members of an interface with the first sentences of their comments. */
function membersOf(name: string, file: string): readonly (readonly [string, string])[] {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = tree.statements.filter(ts.isInterfaceDeclaration).find((one) => one.name.text === name)
  if (found === undefined) throw new Error(`src/${file} has no interface ${name}.`)
  return found.members.map((member) => {
    const called = ts.isMethodSignature(member) ? '()' : member.questionToken === undefined ? '' : '?'
    return [`${member.name?.getText() ?? ''}${called}`, firstSentence(member)]
  })
}

function firstSentence(member: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.comment
  if (comment === undefined) throw new Error(`${member.getText()} of a seam has no comment.`)
  const text = (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ')
  return (/^.*?[.](?= |$)/.exec(text)?.[0] ?? text).replaceAll('|', '\\|')
}
