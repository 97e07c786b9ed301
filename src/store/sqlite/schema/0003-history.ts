import type { Migration } from './migration.ts'

/** Earlier versions of records, removed records, and the one default record of an account and collection. */
export const history: Migration = {
  version: 3,
  name: 'history',
  script: `
    -- note: how this version came to be, as its writer told it.
    ALTER TABLE record ADD COLUMN note TEXT;
    ALTER TABLE record ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX record_default ON record (collection, owner) WHERE is_default = 1;

    -- The newest of the versions that a record had before. n outlives a stay among the removed ones.
    CREATE TABLE revision (
      n INTEGER NOT NULL,
      version INTEGER NOT NULL,
      doc TEXT NOT NULL,
      note TEXT,
      PRIMARY KEY (n, version)
    ) STRICT;

    -- Removed records are not in record and leaf, so that no query can see them. removal: the note of who removed it.
    CREATE TABLE removed (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      n INTEGER NOT NULL UNIQUE,
      collection INTEGER NOT NULL REFERENCES collection,
      owner INTEGER NOT NULL REFERENCES owner,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      is_public INTEGER NOT NULL,
      doc TEXT NOT NULL,
      note TEXT,
      removal TEXT
    ) STRICT;
    CREATE UNIQUE INDEX removed_id ON removed (collection, owner, id);
    CREATE INDEX removed_place ON removed (collection, owner, place);
  `,
}
