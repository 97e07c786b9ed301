import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * Names the file of a worker thread that lies beside the calling module, and the options that it needs: compiled
 * JavaScript runs as it is, TypeScript source (in tests) through tsx.
 */
export function workerEntry(callerUrl: string, name: string): { file: URL; options: WorkerOptions } {
  if (!callerUrl.endsWith('.ts')) return { file: new URL(`./${name}.js`, callerUrl), options: {} }
  return { file: throughLoader(new URL(`./${name}.ts`, callerUrl).href, callerUrl), options: {} }
}

/**
 * A module that registers tsx and then imports the entry. Node 20 loads the entry of a thread before what `--import`
 * registers takes effect, so the option does not help; and a data URL resolves no bare name, so the loader goes by file.
 */
function throughLoader(entry: string, callerUrl: string): URL {
  const loader = pathToFileURL(createRequire(callerUrl).resolve('tsx'))
  const register = new URL('./esm/api/index.mjs', loader).href
  const code = `import { register } from ${JSON.stringify(register)}; register(); await import(${JSON.stringify(entry)})`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}
