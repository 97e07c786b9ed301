import type { Migration } from './migration.ts'

/** Where the making anew of the index is. */
export const rebuild: Migration = {
  version: 7,
  name: 'rebuild',
  script: `
    -- One row while the index is made anew: it holds the records up to n = reached, done of them, and answers nothing by itself.
    CREATE TABLE rebuild (
      reached INTEGER NOT NULL,
      done INTEGER NOT NULL
    ) STRICT;
  `,
}
