-- The tables of the first release. Every table of records begins with the home in its key, and nothing that is unique goes beyond one: so the tables can be
-- spread over machines by the home. Texts of ids and names compare by their bytes, whatever the locale of the server is.

-- Numbers of records are natural order and never used again; they are drawn under the lock of the home.
CREATE SEQUENCE record_number;
CREATE SEQUENCE segment_number;
CREATE SEQUENCE home_number;
CREATE SEQUENCE removed_place;
CREATE SEQUENCE audit_number;

-- Its row is the lock of a home. changes counts the commits that changed something in it, layout those that put its records into other
-- segments; records and bytes are what the account of that name has stored, wherever it is.
CREATE TABLE home (
  home text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  changes bigint NOT NULL,
  layout bigint NOT NULL,
  records bigint NOT NULL,
  bytes bigint NOT NULL
) WITH (fillfactor = 50);

-- doc is the text that is served; stamp: the changes of the home with this version. owner: the account. gave_up_ms: after how many milliseconds
-- something that is computed of the record was given up, 0 where it was not tried; null: nothing is to be tried again.
CREATE TABLE record (
  home text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  stamp bigint NOT NULL,
  is_default boolean NOT NULL,
  doc text COMPRESSION lz4 NOT NULL,
  note text,
  gave_up_ms integer,
  PRIMARY KEY (home, collection, n)
) WITH (toast_tuple_target = 8160, fillfactor = 90);
-- Indexes of a table share no more than the home at their beginning: before PostgreSQL has statistics, which takes a minute or more of a new database, it
-- takes any two conditions of equality for enough to find one row, and would go through all records of a home for each that is read.
CREATE UNIQUE INDEX record_id ON record (home, id, collection);
CREATE INDEX record_default ON record (home, collection, owner) WHERE is_default;
CREATE INDEX record_given_up ON record (collection, n) WHERE gave_up_ms IS NOT NULL;

-- Records that no segment has in their present version: new, changed, or gone from the home. stamp: the home's changes then.
CREATE TABLE tail (
  home text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  stamp bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (home, collection, stamp, n)
);

-- dead: a bit for each row whose record has a newer version elsewhere, or is gone; catalog: which chunk has the column of which path.
CREATE TABLE segment (
  home text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  rows integer NOT NULL,
  dead_rows integer NOT NULL,
  first_n bigint NOT NULL,
  last_n bigint NOT NULL,
  catalog text COMPRESSION lz4 NOT NULL,
  dead bytea NOT NULL,
  PRIMARY KEY (home, collection, number)
);

-- Chunk -1 of a segment has the n of each row, as doubles.
CREATE TABLE chunk (
  home text COLLATE "C" NOT NULL,
  segment bigint NOT NULL,
  number integer NOT NULL,
  bytes bytea COMPRESSION lz4 NOT NULL,
  PRIMARY KEY (home, segment, number)
);

-- Earlier versions of records, and records that were removed, both in the home of the account that they belong to.
CREATE TABLE revision (
  home text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  version integer NOT NULL,
  doc text COMPRESSION lz4 NOT NULL,
  note text,
  PRIMARY KEY (home, n, version)
);
CREATE TABLE removed (
  home text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  n bigint NOT NULL,
  version integer NOT NULL,
  is_public boolean NOT NULL,
  doc text COMPRESSION lz4 NOT NULL,
  note text,
  removal text,
  PRIMARY KEY (home, collection, id)
);
CREATE INDEX removed_order ON removed (home, place, collection);

-- Who did what; home: of the account whose record it was.
CREATE TABLE audit (
  home text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  at bigint NOT NULL,
  action text NOT NULL,
  via text NOT NULL,
  app_user text,
  account text,
  address text,
  request text,
  kind text NOT NULL,
  object text,
  version integer,
  details text,
  PRIMARY KEY (home, n)
);
CREATE INDEX audit_order ON audit (n);

-- Who may log in: small, asked once and then remembered by every process, and in one place however many machines have the records.
-- What is remembered of them holds for as long as the version does.
CREATE TABLE accounts_version (version bigint NOT NULL);
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL UNIQUE,
  slug text NOT NULL,
  type text NOT NULL CHECK (type IN ('personal', 'organization')),
  email text,
  created_at bigint NOT NULL
);
CREATE TABLE app_user (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL UNIQUE,
  slug text NOT NULL,
  email text,
  email_key text COLLATE "C" UNIQUE,
  password_hash text NOT NULL,
  default_account text COLLATE "C" NOT NULL REFERENCES account,
  created_at bigint NOT NULL,
  disabled_at bigint
);
CREATE TABLE membership (
  app_user text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  account text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'administrator', 'member')),
  PRIMARY KEY (app_user, account)
);
CREATE INDEX membership_account ON membership (account);
CREATE TABLE token (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('session', 'api')),
  name text NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  app_user text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  account text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  one_account boolean NOT NULL,
  read_only boolean NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  expires_at bigint,
  ended_at bigint
);
CREATE INDEX token_user ON token (app_user);
CREATE INDEX token_account ON token (account);

-- Failed log-ins that are not forgiven yet, by what they count for. empty_at: when all of them will be, in milliseconds since 1970.
CREATE TABLE login_meter (
  key text COLLATE "C" PRIMARY KEY,
  empty_at double precision NOT NULL
);
CREATE INDEX login_meter_end ON login_meter (empty_at);
CREATE TABLE known_address (
  app_user text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  digest text COLLATE "C" NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (app_user, digest)
);

-- Lets a process that has lost its connection find out whether its last commit was carried out.
-- The last commit of each process that has written to a home, by a count of its own; at: when, so that those of processes that are gone can go.
CREATE TABLE writer (
  home text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  commits bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (home, id)
) WITH (fillfactor = 50);

-- Answers by request, each written with what the request has written. home: of the account; place: their order in it; total: the bytes of
-- all that have been kept up to it; serial: of the record of the first change; record: the id of the one that the answer shows.
CREATE TABLE answer (
  home text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  total bigint NOT NULL,
  at bigint NOT NULL,
  asked text NOT NULL,
  answer text COMPRESSION lz4 NOT NULL,
  serial text,
  record text COLLATE "C",
  PRIMARY KEY (home, key)
);
CREATE INDEX answer_place ON answer (home, place);

CREATE TABLE mark (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
-- The key under which numbers leave the store.
CREATE TABLE number_key (key bytea NOT NULL CHECK (length(key) = 32));
