import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The rooms that find, keep and write records: what a figure of the benchmark is of. */
const ROOMS = ['query', 'engine', 'store'] as const

/** Names the code of those rooms, as it runs: comments and types do not count. */
export function digestOfCode(source: string): string {
  const hash = createHash('sha256')
  for (const room of ROOMS) {
    const files = readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      hash.update(`${room}/${file}\n${running(readFileSync(join(source, room, file), 'utf8'))}\n`)
    }
  }
  return hash.digest('hex').slice(0, 12)
}

function running(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, removeComments: true }
  return ts.transpileModule(text, { compilerOptions }).outputText
}

/** What is wrong with a written run as one of the present code, or null: it says which commit and which code it measured. */
export function faultOfRun(text: string, present: string): string | null {
  const [, commit, changes = '', code] =
    /\bCommit ([0-9a-f]{7,40})( \+ changes)?, code ([0-9a-f]{12})\b/.exec(text) ?? []
  if (commit === undefined) return 'does not say of which commit and code it is'
  if (changes !== '') return `was measured with changes to ${commit} that are in no commit`
  if (/^# Void/.test(text)) return 'was measured on a machine that was not idle'
  return code === present ? null : `is of ${commit}; query, engine or store have changed since`
}
