import { configDefaults, defineConfig } from 'vitest/config'
import { isBuilt } from './scripts/build.mjs'
import { COVERED } from './scripts/projects.mjs'
import {
  APART,
  DECIDED_BY_THE_STORE,
  OF_EVERY_ADDRESS,
  OF_EVERY_STORE,
  OF_POSTGRES,
  OF_PROCESSES,
  OF_THE_PAGE,
  PROCESSES_ALONE,
  PROOFS,
  SMOKE,
  WITHOUT_POSTGRES,
} from './test/projects.ts'
import { BUILT_THREADS } from './test/support/built-worker-entry.ts'
import { missingPostgres } from './test/support/postgres-process.ts'

const apart = Object.keys(APART)
/** What is run before, for its coverage. */
const runBefore = process.env['COVERED'] === 'run' ? COVERED.map((path) => path.replace(/\/$/, '/**')) : []
const onPostgres = Object.keys(DECIDED_BY_THE_STORE).map((name) => `test/http/${name}.test.ts`)

/** `--project postgres` runs one of them; `scripts/projects.mjs` says which of them `npm test` runs. */
export default defineConfig({
  plugins: isBuilt() ? [BUILT_THREADS] : [],
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Files share their process: what they import is read once, and what they start together stays.
    isolate: false,
    // Long enough on a machine that does other things besides.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/built-page.ts'],
    setupFiles: ['test/support/file-times.ts', 'test/support/after-a-file.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'postgres',
          env: { STORE: 'postgres' },
          globalSetup: ['test/support/shared-postgres.ts'],
          include:
            missingPostgres() === null
              ? ['test/contract/**/*.test.ts', ...onPostgres, ...OF_POSTGRES]
              : WITHOUT_POSTGRES,
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          env: { STORE: 'sqlite' },
          setupFiles: ['test/support/long-turns.ts'],
          include: OF_EVERY_STORE,
          exclude: [...configDefaults.exclude, ...runBefore, ...OF_EVERY_ADDRESS, ...apart],
        },
      },
      {
        extends: true,
        test: {
          name: 'addresses',
          env: { STORE: 'sqlite' },
          setupFiles: ['test/support/long-turns.ts'],
          include: OF_EVERY_ADDRESS,
        },
      },
      { extends: true, test: { name: 'smoke', include: SMOKE } },
      {
        extends: true,
        test: { name: 'browser', include: OF_THE_PAGE, exclude: [...configDefaults.exclude, ...SMOKE] },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          env: { PROCESSES: 'alone' },
          include: OF_PROCESSES,
          exclude: [...configDefaults.exclude, ...OF_POSTGRES],
        },
      },
      { extends: true, test: { name: 'proofs', isolate: true, include: PROOFS } },
      { extends: true, test: { name: 'apart', isolate: true, include: apart } },
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...runBefore,
            ...OF_EVERY_STORE,
            ...OF_POSTGRES,
            ...OF_THE_PAGE,
            ...PROOFS,
            ...Object.keys(PROCESSES_ALONE),
            ...apart,
          ],
        },
      },
    ],
  },
})
