import { readFileSync } from 'node:fs'
import { projectFile } from './project-files.ts'

/** What package.json says of the program, and nothing else does. */
interface Manifest {
  readonly version: string
  /** A name of SPDX. */
  readonly license: string
}

const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Manifest

export const VERSION = manifest.version
export const LICENSE = manifest.license
