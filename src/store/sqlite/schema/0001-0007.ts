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

/** Users, accounts, who belongs to which, and tokens. The `_key` columns are the lower-case forms that are unique. */
export const accounts: Migration = {
  version: 2,
  name: 'accounts',
  script: `
    CREATE TABLE account (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      slug TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('personal', 'organization')),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE user (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      slug TEXT NOT NULL,
      email TEXT,
      email_key TEXT UNIQUE,
      password_hash TEXT NOT NULL,
      default_account TEXT NOT NULL REFERENCES account,
      created_at INTEGER NOT NULL,
      disabled_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE membership (
      user TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
      account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('owner', 'administrator', 'member')),
      PRIMARY KEY (user, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX membership_account ON membership (account);

    CREATE TABLE token (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'api')),
      name TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      user TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
      account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
      read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      expires_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX token_user ON token (user);
    CREATE INDEX token_account ON token (account);
  `,
}

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
