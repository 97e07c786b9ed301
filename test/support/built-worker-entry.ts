import { fileURLToPath } from 'node:url'
import { workerEntry as ofTheSources } from '../../src/kernel/worker-entry.ts'

const SOURCES = new URL('../../src/', import.meta.url).href
const BUILT = new URL('../../dist/', import.meta.url).href

/**
 * In place of that of the sources where `dist` is as new as they are: a thread begins in a third of the time when nobody has to compile it.
 *
 * @public by the plugin below
 */
export function workerEntry(callerUrl: string, name: string): ReturnType<typeof ofTheSources> {
  if (!callerUrl.startsWith(SOURCES)) return ofTheSources(callerUrl, name)
  return ofTheSources(callerUrl.replace(SOURCES, BUILT).replace(/\.ts$/, '.js'), name)
}

const [ENTRY, HERE] = ['/kernel/worker-entry.ts', fileURLToPath(import.meta.url)]

/** Has Vite put the function above in the place of the one that it wraps. */
export const BUILT_THREADS = {
  name: 'built-threads',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source.endsWith(ENTRY) && importer !== HERE ? HERE : undefined,
}
