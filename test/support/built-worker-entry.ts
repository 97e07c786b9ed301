import { fileURLToPath } from 'node:url'
import { builtThread, type ThreadFile } from '../../src/kernel/worker-entry.ts'

/** @public by the plugin below */
export { sourceEntry } from '../../src/kernel/worker-entry.ts'

const THREADS = new URL('../../dist/threads/', import.meta.url)

/**
 * In place of that of the sources where `dist` is as new as they are: then nobody has to compile a thread before it begins.
 *
 * @public by the plugin below
 */
export function workerEntry(file: ThreadFile): URL {
  return new URL(builtThread(file), THREADS)
}

const [ENTRY, HERE] = ['/kernel/worker-entry.ts', fileURLToPath(import.meta.url)]

/** Has Vite put the function above in the place of that of the sources. */
export const BUILT_THREADS = {
  name: 'built-threads',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source.endsWith(ENTRY) && importer !== HERE ? HERE : undefined,
}
