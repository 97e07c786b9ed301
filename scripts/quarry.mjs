#!/usr/bin/env node
// The command `quarry`: runs what was built. It is there before the first build, so that `npx quarry`, which links it once, finds it at any time.
import { existsSync } from 'node:fs'

const built = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(built)) await import(built.href)
else {
  console.error(
    'Quarry is not built yet. Run npm start, which installs, builds and serves, or npm ci and npm run build.',
  )
  process.exitCode = 1
}
