import type { Migration } from './migration.ts'

/** An address for an account, and tokens that work for more than the account that they were made in. */
export const organizations: Migration = {
  version: 4,
  name: 'organizations',
  script: `
    ALTER TABLE account ADD COLUMN email TEXT;
    ALTER TABLE token ADD COLUMN one_account INTEGER NOT NULL DEFAULT 0 CHECK (one_account IN (0, 1));
    -- A token that was given out before keeps to what it could do.
    UPDATE token SET one_account = 1 WHERE kind = 'api';
  `,
}
