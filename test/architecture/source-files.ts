import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Every file of src, from the root of the project. */
export function sourceFiles(): string[] {
  const entries = readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' })
  return entries.filter((path) => path.endsWith('.ts')).map((path) => `src/${path.replaceAll('\\', '/')}`)
}
