import type { Migration } from './migration.ts'

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
