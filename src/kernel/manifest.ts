import { readFileSync } from 'node:fs'
import { projectFile } from './project-files.ts'

/** Facts of the program that only package.json has. */
interface Manifest {
  readonly version: string
  /** A name of SPDX. */
  readonly license: string
}

const manifest = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Manifest

export const VERSION = manifest.version
export const LICENSE = manifest.license
