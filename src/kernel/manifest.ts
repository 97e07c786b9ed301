import { readFileSync } from 'node:fs'

/** What package.json says of the program, and nothing else does; it lies two levels up from the source and from the compiled file alike. */
interface Manifest {
  readonly version: string
  /** A name of SPDX. */
  readonly license: string
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest

export const VERSION = manifest.version
export const LICENSE = manifest.license
