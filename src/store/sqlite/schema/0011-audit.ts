import type { Migration } from './migration.ts'

/** Who did what, and from where. */
export const audit: Migration = {
  version: 11,
  name: 'audit',
  script: `
    -- In the order of time; the oldest rows go. user and account are ids that may be nobody's any more.
    CREATE TABLE audit (
      n INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      action TEXT NOT NULL,
      via TEXT NOT NULL,
      user TEXT,
      account TEXT,
      address TEXT,
      request TEXT,
      kind TEXT NOT NULL,
      object TEXT,
      version INTEGER,
      details TEXT
    ) STRICT;
  `,
}
