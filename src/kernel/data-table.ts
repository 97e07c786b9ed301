import { readFileSync } from 'node:fs'
import { projectFile } from './project-files.ts'

/**
 * Reads a table of `src`: a row a line, its cells apart by tabs. Lines that begin with `# ` say what the table is, where it is from and under what licence.
 */
export function readTable(path: string): readonly (readonly string[])[] {
  return readFileSync(projectFile(`src/${path}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}
