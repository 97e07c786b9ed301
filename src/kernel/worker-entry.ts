import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const HERE = import.meta.url

/** The file of a worker thread, from `src`. */
export type ThreadFile = `${string}-thread.ts`

/** Names the file of a worker thread of the program: in use as the build has put it together, in tests from its source. */
export function workerEntry(file: ThreadFile): URL {
  if (HERE.endsWith('.ts')) return sourceEntry(new URL(`../${file}`, HERE))
  return new URL(`../threads/${builtThread(file)}`, HERE)
}

/** The name that the build gives to a thread's file. */
export function builtThread(file: ThreadFile): string {
  return file.replaceAll('/', '.').replace(/ts$/, 'js')
}

/** Module that registers tsx and then imports the source: in Node 20, `--import` takes effect after the entry of a thread is loaded. */
export function sourceEntry(file: URL): URL {
  const loader = pathToFileURL(createRequire(HERE).resolve('tsx'))
  const register = new URL('./esm/api/index.mjs', loader).href
  const code = `import { register } from ${JSON.stringify(register)}; register(); await import(${JSON.stringify(file.href)})`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}
