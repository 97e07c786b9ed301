import type { Migration } from './migration.ts'

/** Documents once more as JSONB. Nothing fills it any more: a later version takes it away. */
export const bodies: Migration = {
  version: 5,
  name: 'bodies',
  script: `
    CREATE TABLE body (
      n INTEGER PRIMARY KEY REFERENCES record,
      doc BLOB NOT NULL
    ) STRICT;

    -- In which orders the documents of a collection have their fields, as JSON arrays; '*' stands for one that is too long.
    CREATE TABLE shape (
      collection INTEGER NOT NULL REFERENCES collection,
      keys TEXT NOT NULL,
      PRIMARY KEY (collection, keys)
    ) STRICT, WITHOUT ROWID;
  `,
}
