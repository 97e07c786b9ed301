-- The tables of the first release.

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

-- n is natural order and never used again; scope is the record's home; note: how this version came to be, as its writer told it. checksum is over the whole row.
-- gave_up_ms: after how many milliseconds something that is computed of the record was given up, 0 where it was not tried; null: nothing is to be tried again.
CREATE TABLE record (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collection,
  scope INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  gave_up_ms INTEGER,
  note TEXT,
  checksum INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
-- An id is unique in its home: two accounts may have the same, and neither learns of it.
CREATE UNIQUE INDEX record_id ON record (collection, scope, id);
CREATE INDEX record_scope ON record (collection, scope, n);
CREATE UNIQUE INDEX record_default ON record (collection, owner) WHERE is_default = 1;
CREATE INDEX record_given_up ON record (collection, n, gave_up_ms) WHERE gave_up_ms IS NOT NULL;

-- The newest of the versions that a record had before. n outlives a stay among the removed ones.
CREATE TABLE revision (
  n INTEGER NOT NULL,
  version INTEGER NOT NULL,
  note TEXT,
  checksum INTEGER NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (n, version)
) STRICT;

-- Removed records are not in record, so that no query can see them. removal: the note of who removed it.
CREATE TABLE removed (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  n INTEGER NOT NULL UNIQUE,
  collection INTEGER NOT NULL REFERENCES collection,
  owner INTEGER NOT NULL REFERENCES owner,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  is_public INTEGER NOT NULL,
  note TEXT,
  removal TEXT,
  checksum INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX removed_id ON removed (collection, owner, id);
CREATE INDEX removed_place ON removed (collection, owner, place);

-- How much every account has stored: its records and those that it removed and may restore, with the bytes of their texts. Earlier versions
-- are not counted: a record keeps a bounded number of them. Triggers keep it, so that nothing that writes can forget it.
CREATE TABLE usage (
  owner INTEGER PRIMARY KEY REFERENCES owner,
  records INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER record_comes AFTER INSERT ON record BEGIN
  INSERT INTO usage VALUES (new.owner, 1, octet_length(new.doc))
    ON CONFLICT (owner) DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER record_goes AFTER DELETE ON record BEGIN
  UPDATE usage SET records = records - 1, bytes = bytes - octet_length(old.doc) WHERE owner = old.owner;
END;
CREATE TRIGGER record_changes AFTER UPDATE OF doc ON record BEGIN
  UPDATE usage SET bytes = bytes + octet_length(new.doc) - octet_length(old.doc) WHERE owner = new.owner;
END;
CREATE TRIGGER removed_comes AFTER INSERT ON removed BEGIN
  INSERT INTO usage VALUES (new.owner, 1, octet_length(new.doc))
    ON CONFLICT (owner) DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER removed_goes AFTER DELETE ON removed BEGIN
  UPDATE usage SET records = records - 1, bytes = bytes - octet_length(old.doc) WHERE owner = old.owner;
END;
CREATE TRIGGER removed_changes AFTER UPDATE OF doc ON removed BEGIN
  UPDATE usage SET bytes = bytes + octet_length(new.doc) - octet_length(old.doc) WHERE owner = new.owner;
END;

CREATE TABLE mark (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The key under which numbers of records leave the store. It is in the file, so that cursors and entity tags hold over
-- restarts, in every process and in a restored backup.
CREATE TABLE number_key (key BLOB NOT NULL CHECK (length(key) = 32)) STRICT;

-- Tables derived from records, which can be made anew.

-- Where records live: home 0 has the public ones, every other the private ones of the owner with its number.
-- changes counts the commits that changed something in it, layout those that put its records into other segments.
CREATE TABLE home (
  number INTEGER PRIMARY KEY,
  changes INTEGER NOT NULL,
  layout INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Records of one home and collection in the order of n, as columns. dead: a bit for each row whose record has a newer version
-- elsewhere, or is gone; catalog: which chunk has the column of which path.
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

-- Records that are in no segment and not in the tail, while all are made anew: those with n above reached, and not above last.
CREATE TABLE backlog (
  home INTEGER NOT NULL,
  collection INTEGER NOT NULL,
  reached INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (home, collection)
) STRICT, WITHOUT ROWID;

-- Accounts and users. The _key columns are the lower-case forms that are unique.

CREATE TABLE account (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('personal', 'organization')),
  email TEXT,
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
  one_account INTEGER NOT NULL CHECK (one_account IN (0, 1)),
  read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX token_user ON token (user);
CREATE INDEX token_account ON token (account);

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

-- Grows when users, accounts, memberships or tokens change or go, but for the uses of tokens: by it, whoever has looked a
-- credential up knows that it still is what it was. Triggers raise it, so that nothing that writes can forget it.
CREATE TABLE accounts_version (version INTEGER NOT NULL) STRICT;
INSERT INTO accounts_version VALUES (0);

CREATE TRIGGER user_is_changed AFTER UPDATE ON user BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER user_is_gone AFTER DELETE ON user BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER account_is_changed AFTER UPDATE ON account BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER account_is_gone AFTER DELETE ON account BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER membership_is_changed AFTER UPDATE ON membership BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER membership_is_gone AFTER DELETE ON membership BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER token_is_changed
  AFTER UPDATE OF id, kind, name, hash, user, account, one_account, read_only, created_at, expires_at, ended_at ON token
  BEGIN UPDATE accounts_version SET version = version + 1; END;
CREATE TRIGGER token_is_gone AFTER DELETE ON token BEGIN UPDATE accounts_version SET version = version + 1; END;

-- Who did what, in the order of time; the oldest rows go. user and account are ids that may be nobody's any more.
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

-- Answers to requests with an Idempotency-Key, each written with what the request has written. place: their order in the account; total: the bytes of all that
-- have been kept up to it; serial: of the record of the first change; record: the id of the one that the answer shows.
CREATE TABLE answer (
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  place INTEGER NOT NULL,
  total INTEGER NOT NULL,
  at INTEGER NOT NULL,
  asked TEXT NOT NULL,
  answer TEXT NOT NULL,
  serial TEXT,
  record TEXT,
  PRIMARY KEY (account, key)
) STRICT;
CREATE INDEX answer_place ON answer (account, place, total, at);
