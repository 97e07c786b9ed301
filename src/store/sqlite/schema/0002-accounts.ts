import type { Migration } from './migration.ts'

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
