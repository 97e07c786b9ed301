import type { Migration } from './migration.ts'

/** Indexes over a condition and a whole sort, which Quarry makes by itself. */
export const compounds: Migration = {
  version: 6,
  name: 'compounds',
  script: `
    -- path: what the condition is about, '' for none. sort: [[path, 1 or -1], ...] as JSON.
    -- state: 'building' holds the records up to built_to; 'ready' holds all; 'unsuitable' cannot hold some record, for a
    -- reason; 'dropped' is being taken away. used_on: the last day it was used, in days since 1970.
    CREATE TABLE compound (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES collection,
      path TEXT NOT NULL,
      sort TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('building', 'ready', 'unsuitable', 'dropped')),
      built_to INTEGER NOT NULL,
      reason TEXT,
      used_on INTEGER NOT NULL,
      UNIQUE (collection, path, sort)
    ) STRICT;

    -- A record has a row for each different value at the path; path_type and value are those of the leaf index, 0 and 0
    -- without a path. place is what the record sorts by and then its number, as bytes in the order of the sort.
    CREATE TABLE compound_row (
      compound INTEGER NOT NULL,
      scope INTEGER NOT NULL,
      path_type INTEGER NOT NULL,
      value ANY NOT NULL,
      place BLOB NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (compound, scope, path_type, value, place)
    ) STRICT, WITHOUT ROWID;
  `,
}
