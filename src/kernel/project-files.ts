import { readFileSync } from 'node:fs'

/** URL of a file that comes with the program. The project's directory is two levels up from this source and from each folder of `dist`. */
export function projectFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}

/** Reads a table of `src`: a row a line, cells apart by tabs; lines that begin with `# ` tell its content, source and licence. */
export function readTable(path: string): readonly (readonly string[])[] {
  return readFileSync(projectFile(`src/${path}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}

/** Facts of the program that only package.json has. */
interface Manifest {
  readonly version: string
  /** A name of SPDX. */
  readonly license: string
}

const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Manifest

export const VERSION = manifest.version
export const LICENSE = manifest.license
