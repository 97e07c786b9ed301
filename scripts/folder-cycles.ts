/**
 * The gate for cycles of folders: no two folders of src import from each other, directly or round about, but for those that `rooms.cjs` lists.
 * dependency-cruiser has rules for files; a cycle of folders may be none of files.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { cycleFaults } from './house/folder-cycles.ts'
import { readSourceTree } from './house/source-tree.ts'

const { FOLDERS_IN_CYCLES } = createRequire(import.meta.url)('../rooms.cjs') as { FOLDERS_IN_CYCLES: readonly string[] }

const faults = cycleFaults(readSourceTree(join(ROOT, 'src')), FOLDERS_IN_CYCLES)
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
