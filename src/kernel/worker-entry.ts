import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * Names the file of a worker thread that lies beside the calling module, and the options that it needs: compiled
 * JavaScript runs as it is, TypeScript source (in tests) through tsx.
 */
export function workerEntry(callerUrl: string, name: string): { file: URL; options: WorkerOptions } {
  const fromSource = callerUrl.endsWith('.ts')
  return {
    file: new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, callerUrl),
    options: fromSource ? { execArgv: ['--import', loaderOf(callerUrl)] } : {},
  }
}

/** Node looks for a bare `tsx` from the working directory, which may be anywhere. */
function loaderOf(callerUrl: string): string {
  return pathToFileURL(createRequire(callerUrl).resolve('tsx')).href
}
