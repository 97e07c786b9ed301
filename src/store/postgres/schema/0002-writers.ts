import type { Migration } from './migration.ts'

/** Lets a process that has lost its connection find out whether its last commit was carried out. */
export const writers: Migration = {
  version: 2,
  name: 'writers',
  // What does not write here does not ask either.
  leastReader: 1,
  script: `
    -- The last commit of each process that has written to a home, by a count of its own; at: when, so that those of processes that are gone can go.
    CREATE TABLE writer (
      home text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      commits bigint NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (home, id)
    ) WITH (fillfactor = 50);
  `,
}
