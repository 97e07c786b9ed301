import { describe, expect, it } from 'vitest'
import { missingPostgres } from '../support/postgres-process.ts'

const missing = missingPostgres()

/** Without it, this is all that is left of the suites over PostgreSQL. */
describe.skipIf(missing !== null && process.env['CI'] === undefined)(
  `PostgreSQL${missing === null ? '' : ` (skipped, with all suites over it: ${missing})`}`,
  () => {
    it('is there to be tested', () => {
      expect(missing).toBeNull()
    })
  },
)
