import { randomBytes } from 'node:crypto'
import { nameKey } from '../../../kernel/names.ts'
import type { Connection } from '../base/database.ts'
import type { Migration } from './migration.ts'

/** Which fields the records of a scope have, and what kinds of values are in them. Nothing fills it any more: a later version takes it away. */
export const fieldKinds: Migration = {
  version: 8,
  name: 'field-kinds',
  script: `
    -- How many records of a scope have a value of a kind at a path. path_kind is 8 * path + kind (0 null, 1 number, 2 string,
    -- 3 boolean, 4 array, 5 object, 6 values that the leaf index leaves out). While the index is made anew it lacks the same records.
    CREATE TABLE field_kind (
      scope INTEGER NOT NULL,
      path_kind INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (scope, path_kind)
    ) STRICT, WITHOUT ROWID;
  `,
}

/** What slows down those who guess passwords, where users have logged in from, and which tokens have ended by themselves. */
export const logIn: Migration = {
  version: 9,
  name: 'log-in',
  script: `
    -- Failed log-ins that are not forgiven yet, by what they count for. empty_at: when all of them will be, in milliseconds since 1970.
    CREATE TABLE login_meter (
      key TEXT PRIMARY KEY,
      empty_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX login_meter_end ON login_meter (empty_at);

    -- Addresses from which a user has logged in, as digests.
    CREATE TABLE known_address (
      user TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
      digest TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      PRIMARY KEY (user, digest)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE token ADD COLUMN ended_at INTEGER;
  `,
  fill: renewKeys,
}

/** Addresses are compared in a form that a few of them did not have yet. One whose new form is taken keeps the old one. */
function renewKeys(connection: Connection): void {
  const renew = connection.prepare('UPDATE OR IGNORE user SET email_key = ? WHERE id = ?')
  const users = connection
    .prepare<[], { id: string; email: string }>('SELECT id, email FROM user WHERE email IS NOT NULL')
    .all()
  for (const { id, email } of users) renew.run(nameKey(email), id)
}

/** A checksum of every text that cannot be derived from another. What older versions wrote gets its own bit by bit. */
export const checksums: Migration = {
  version: 10,
  name: 'checksums',
  script: `
    -- Null only in rows that an older version wrote, until they have been sealed.
    ALTER TABLE record ADD COLUMN checksum INTEGER;
    ALTER TABLE revision ADD COLUMN checksum INTEGER;
    ALTER TABLE removed ADD COLUMN checksum INTEGER;

    -- One row while there may be rows without a checksum: those whose n is above reached, and not above last.
    CREATE TABLE sealing (
      reached INTEGER NOT NULL,
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO sealing SELECT 0, seq FROM sqlite_sequence WHERE name = 'record' AND seq > 0;
  `,
}

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

/**
 * How much every account has stored: its records and those that it removed and may restore, with the bytes of their texts. Earlier versions
 * are not counted: a record keeps a bounded number of them. Triggers keep it, so that nothing that writes can forget it.
 */
export const usage: Migration = {
  version: 12,
  name: 'usage',
  script: `
    CREATE TABLE usage (
      owner INTEGER PRIMARY KEY REFERENCES owner,
      records INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO usage
      SELECT owner, count(*), sum(octet_length(doc))
      FROM (SELECT owner, doc FROM record UNION ALL SELECT owner, doc FROM removed)
      GROUP BY owner;
    ${['record', 'removed'].map(triggersOn).join('')}
  `,
}

function triggersOn(table: string): string {
  return `
    CREATE TRIGGER ${table}_comes AFTER INSERT ON ${table} BEGIN
      INSERT INTO usage VALUES (new.owner, 1, octet_length(new.doc))
        ON CONFLICT (owner) DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
    END;
    CREATE TRIGGER ${table}_goes AFTER DELETE ON ${table} BEGIN
      UPDATE usage SET records = records - 1, bytes = bytes - octet_length(old.doc) WHERE owner = old.owner;
    END;
    CREATE TRIGGER ${table}_changes AFTER UPDATE OF doc ON ${table} BEGIN
      UPDATE usage SET bytes = bytes + octet_length(new.doc) - octet_length(old.doc) WHERE owner = new.owner;
    END;
  `
}

/**
 * A counter that grows when users, accounts, memberships or tokens change or go, but for the uses of tokens: by it, whoever has looked a
 * credential up knows that it still is what it was. Triggers raise it, so that nothing that writes can forget it.
 */
export const accountsVersion: Migration = {
  version: 13,
  name: 'accounts-version',
  script: `
    CREATE TABLE accounts_version (version INTEGER NOT NULL) STRICT;
    INSERT INTO accounts_version VALUES (0);
    ${['user', 'account', 'membership'].map((table) => raisedBy(table)).join('')}
    ${raisedBy('token', 'id, kind, name, hash, user, account, one_account, read_only, created_at, expires_at, ended_at')}
  `,
}

/** `columns`: those whose change counts, where not all do. */
function raisedBy(table: string, columns?: string): string {
  const raise = 'BEGIN UPDATE accounts_version SET version = version + 1; END;'
  return `
    CREATE TRIGGER ${table}_is_changed AFTER UPDATE ${columns === undefined ? '' : `OF ${columns} `}ON ${table} ${raise}
    CREATE TRIGGER ${table}_is_gone AFTER DELETE ON ${table} ${raise}
  `
}

/**
 * Columns in segments in the place of index rows. The records stay as they are; what was derived from them is derived anew, bit by bit,
 * by whoever writes (`backlog`), and the tables of before are dropped when that is done (`leftover`).
 */
export const segments: Migration = {
  version: 14,
  name: 'segments',
  script: `
    -- Where records live: home 0 has the public ones, every other the private ones of the owner with its number.
    -- changes counts the commits that changed something in it, layout those that put its records into other segments.
    CREATE TABLE home (
      number INTEGER PRIMARY KEY,
      changes INTEGER NOT NULL,
      layout INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO home (number, changes) SELECT scope, changes FROM change_counter WHERE scope >= 0;
    INSERT OR IGNORE INTO home (number, changes) SELECT DISTINCT scope, 1 FROM record;
    DROP TABLE change_counter;

    -- An id is unique in its home: two accounts may have the same, and neither learns of it.
    DROP INDEX record_id;
    CREATE UNIQUE INDEX record_id ON record (collection, scope, id);

    -- Records of one home and collection in the order of n, as columns. dead: a bit for each row whose record has a newer version
    -- elsewhere, or is gone; catalog: which chunk has the column of which path; shapes: in which orders the records have their fields.
    CREATE TABLE segment (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      home INTEGER NOT NULL,
      collection INTEGER NOT NULL REFERENCES collection,
      level INTEGER NOT NULL,
      rows INTEGER NOT NULL,
      dead_rows INTEGER NOT NULL,
      first_n INTEGER NOT NULL,
      last_n INTEGER NOT NULL,
      catalog TEXT NOT NULL,
      shapes TEXT NOT NULL,
      dead BLOB NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX segment_home ON segment (home, collection, number, level, rows, dead_rows);

    -- Chunk -1 of a segment has the n of each row, as doubles.
    CREATE TABLE chunk (
      segment INTEGER NOT NULL REFERENCES segment,
      number INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (segment, number)
    ) STRICT;

    -- Records that no segment has in their present version: new, changed, or gone from the home. stamp: the home's changes then.
    CREATE TABLE tail (
      home INTEGER NOT NULL,
      collection INTEGER NOT NULL,
      stamp INTEGER NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (home, collection, stamp, n)
    ) STRICT, WITHOUT ROWID;

    -- Records that are in no segment and not in the tail: those with n above reached, and not above last.
    CREATE TABLE backlog (
      home INTEGER NOT NULL,
      collection INTEGER NOT NULL,
      reached INTEGER NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (home, collection)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO backlog SELECT scope, collection, 0, max(n) FROM record GROUP BY scope, collection;

    -- Tables of older versions that are to be dropped.
    CREATE TABLE leftover (
      name TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    INSERT INTO leftover VALUES ('leaf'), ('body'), ('compound_row'), ('compound'), ('shape'), ('path'), ('rebuild'), ('field_kind');
  `,
  /** A new file has nothing to be taken over: it begins without the tables of before. */
  fill(connection) {
    if (connection.prepare('SELECT 1 FROM backlog LIMIT 1').get() !== undefined) return
    for (const name of connection.prepare<[], string>('SELECT name FROM leftover').pluck().all()) {
      connection.exec(`DROP TABLE IF EXISTS ${name}`)
    }
    connection.exec('DELETE FROM leftover')
  },
}

/**
 * The key under which numbers of records leave the store (`NumberCipher`). It is in the file, so that cursors and entity tags hold over
 * restarts, in every process and in a restored backup.
 */
export const numberKey: Migration = {
  version: 15,
  name: 'number-key',
  script: `
    CREATE TABLE number_key (key BLOB NOT NULL CHECK (length(key) = 32)) STRICT;
    -- A recomputation that was interrupted would go on behind a cursor of before, which is none any more: it begins anew.
    DELETE FROM mark WHERE name = 'recompute';
  `,
  fill(connection) {
    connection.prepare('INSERT INTO number_key VALUES (?)').run(randomBytes(32))
  },
}
