import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { CONTENT_SECURITY_POLICY } from '../../../src/http/response/page-file.ts'
import { type Watched, watchedPage } from './chromium.ts'

/** Where parts are shown; nothing listens there, the browser is given what was built. */
export const HARNESS = 'http://parts.localhost'

/** The files that show parts, built as those of the page are, by their paths. */
export type Harness = ReadonlyMap<string, { readonly type: string; readonly body: string | Buffer }>

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/** Builds one of the files of `test/browser/harness`. */
export async function buildHarness(name: string): Promise<Harness> {
  const { output } = (await build({
    configFile: fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url)),
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL(`../harness/${name}.tsx`, import.meta.url)) },
    },
  })) as Rolldown.RolldownOutput
  const files = output.map((file) => ({
    path: `/${file.fileName}`,
    type: TYPES[file.fileName.split('.').at(-1) ?? ''] ?? 'text/plain',
    body: file.type === 'chunk' ? file.code : Buffer.from(file.source),
    isEntry: file.type === 'chunk' && file.isEntry,
  }))
  const entry = files.find(({ isEntry }) => isEntry)?.path
  const styles = files
    .filter(({ type }) => type === 'text/css')
    .map(({ path }) => `<link rel="stylesheet" href="${path}">`)
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parts</title>${styles.join('')}</head>
    <body><div id="page"></div><script type="module" src="${entry}"></script></body></html>`
  return new Map([{ path: '/', type: 'text/html', body: html }, ...files].map((file) => [file.path, file]))
}

/** Opens the built files under the policy of contents that the server sends with its page. */
export async function openHarness(window: BrowserContext, files: Harness): Promise<Watched> {
  const watched = await watchedPage(window, HARNESS)
  await watched.page.route(`${HARNESS}/**`, async (route) => {
    const file = files.get(new URL(route.request().url()).pathname)
    const headers = { 'content-security-policy': CONTENT_SECURITY_POLICY }
    await route.fulfill(file === undefined ? { status: 204 } : { body: file.body, contentType: file.type, headers })
  })
  watched.page.setDefaultTimeout(10_000)
  await watched.page.goto(`${HARNESS}/`)
  return watched
}
