import { fileURLToPath } from 'node:url'
import type { ThreadFile } from '../../src/kernel/worker-entry.ts'

/** @public by the plugin below */
export { sourceEntry } from '../../src/kernel/worker-entry.ts'

const THREADS = new URL('../../dist/threads/', import.meta.url)

/**
 * In place of that of the sources where `dist` is as new as they are: a thread begins in a fifth of the time when nobody has to compile it.
 *
 * @public by the plugin below
 */
export function workerEntry(file: ThreadFile): URL {
  return new URL(file.replaceAll('/', '.').replace(/ts$/, 'js'), THREADS)
}

const [ENTRY, HERE] = ['/kernel/worker-entry.ts', fileURLToPath(import.meta.url)]

/** Has Vite put the function above in the place of that of the sources. */
export const BUILT_THREADS = {
  name: 'built-threads',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source.endsWith(ENTRY) && importer !== HERE ? HERE : undefined,
}
