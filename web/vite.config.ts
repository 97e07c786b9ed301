import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** How `npm run build` makes the page; `scripts/build-page.mjs` says where to. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Whatever path a proxy puts before the server's own: files name each other relatively.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  logLevel: 'warn',
  build: {
    target: 'es2022',
    assetsDir: 'web',
    // A picture within a style is a `data:` address, which the policy of contents forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    emptyOutDir: true,
    // What the first page needs is one file, also where later ones need a part of it: a request costs more than its bytes.
    rolldownOptions: {
      // A slow machine is no fault of the page.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
