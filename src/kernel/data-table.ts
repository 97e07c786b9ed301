import { readFileSync } from 'node:fs'
import { projectFile } from './project-files.ts'

/** Reads a table of `src`: a row a line, cells apart by tabs; lines that begin with `# ` tell its content, source and licence. */
export function readTable(path: string): readonly (readonly string[])[] {
  return readFileSync(projectFile(`src/${path}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}
