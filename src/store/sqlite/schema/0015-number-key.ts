import { randomBytes } from 'node:crypto'
import type { Migration } from './migration.ts'

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
