import type { Migration } from './migration.ts'

/** Records as the text that is served, and an index of every scalar in them. */
export const records: Migration = {
  version: 1,
  name: 'records',
  script: `
    -- Accounts by number: 0 stands for the public, whom no row names.
    CREATE TABLE owner (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      account TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE collection (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      records INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- n is natural order and never used again; scope is who sees the record, 0 or the owner's number.
    CREATE TABLE record (
      n INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collection,
      scope INTEGER NOT NULL,
      owner INTEGER NOT NULL REFERENCES owner,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      doc TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX record_id ON record (collection, id);
    CREATE INDEX record_scope ON record (collection, scope, n);

    -- partial: some record has values at the path that the leaf index leaves out.
    -- several: some record has its values at the path in an array.
    -- plain: how many records have exactly one value at the path, a scalar that is not in an array.
    CREATE TABLE path (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collection,
      text TEXT NOT NULL,
      partial INTEGER NOT NULL DEFAULT 0,
      several INTEGER NOT NULL DEFAULT 0,
      plain INTEGER NOT NULL DEFAULT 0,
      UNIQUE (collection, text)
    ) STRICT;

    -- path_type is 4 * path + type (0 null, 1 number, 2 string, 3 boolean): its order is the order of BSON types.
    CREATE TABLE leaf (
      path_type INTEGER NOT NULL,
      value ANY NOT NULL,
      scope INTEGER NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (path_type, value, scope, n)
    ) STRICT, WITHOUT ROWID;

    -- Counts the commits that changed what a scope sees; scope -1 counts them all.
    CREATE TABLE change_counter (
      scope INTEGER PRIMARY KEY,
      changes INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE mark (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
