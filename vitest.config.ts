import { configDefaults, defineConfig } from 'vitest/config'
import { missingPostgres } from './test/support/postgres-process.ts'

/** What is the same on every store, and is tested on each. */
const OF_EVERY_STORE = ['test/contract/**/*.test.ts', 'test/http/**/*.test.ts']
/** What is of PostgreSQL alone; what is of the embedded store alone stands among the rest. */
const OF_POSTGRES = ['test/**/*postgres*.test.ts']
const WITHOUT_POSTGRES = ['test/store/postgres-installed.test.ts']

/** `--project postgres` runs one of them. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine has time for it; a second is what an idle one needs.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/built-page.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'postgres',
          env: { STORE: 'postgres' },
          globalSetup: ['test/support/shared-postgres.ts'],
          include: missingPostgres() === null ? [...OF_EVERY_STORE, ...OF_POSTGRES] : WITHOUT_POSTGRES,
        },
      },
      {
        extends: true,
        test: { name: 'sqlite', env: { STORE: 'sqlite' }, include: OF_EVERY_STORE },
      },
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...OF_EVERY_STORE, ...OF_POSTGRES],
        },
      },
    ],
  },
})
