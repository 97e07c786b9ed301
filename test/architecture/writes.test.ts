import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source-files.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Files of records that write to a store, each with its reason. */
const WRITERS: Readonly<Record<string, string>> = {
  'records/use-cases/write-record.ts': 'the commit of every write',
  'records/use-cases/bulk-tasks.ts': 'parts of changes that are over: they go',
  'records/use-cases/read-records.ts': 'the starter that an account has when it first asks',
  'records/use-cases/recompute.ts': 'what the program computes anew of stored records',
  'records/use-cases/undo-entries.ts': 'entries by which changes are undone: old ones go',
  'records/work/bank-changes.ts': 'counts of the bank, made anew',
}

describe('the stages of a write', () => {
  it('are passed by whatever writes records', () => {
    const rooms = sourceFiles().filter((file) => /^src\/(?:records|optimade|http|cli)\//.test(file))
    const writers = rooms.filter((file) =>
      /\bstore\.(?:apply|applyEach)\(/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    const names = writers.map((file) => file.slice('src/'.length))
    expect(names.sort()).toEqual(Object.keys(WRITERS).sort())
  })
})
