import type { Migration } from './migration.ts'

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
