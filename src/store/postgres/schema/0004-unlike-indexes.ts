import type { Migration } from './migration.ts'

/**
 * Lets the indexes of a table share no more than the home at their beginning. Before PostgreSQL has statistics, which takes a minute or more of a new database,
 * it takes any two conditions of equality for enough to find one row: of two indexes that begin with the same two columns it took the
 * one whose third was not asked for, and went through all records of a home for each that was read.
 */
export const unlikeIndexes: Migration = {
  version: 4,
  name: 'unlike indexes',
  leastReader: 1,
  script: `
    DROP INDEX record_id;
    CREATE UNIQUE INDEX record_id ON record (home, id, collection);
    DROP INDEX removed_order;
    CREATE INDEX removed_order ON removed (home, place, collection);
  `,
}
