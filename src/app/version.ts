import { readFileSync } from 'node:fs'

/** The version in package.json, which lies two levels up from the source and from the compiled file alike. */
export const VERSION: string = readVersion()

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
