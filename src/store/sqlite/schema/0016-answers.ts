import type { Migration } from './migration.ts'

/** Lets a request that is sent again with the same `Idempotency-Key` be answered as it was, instead of being carried out once more. */
export const answers: Migration = {
  version: 16,
  name: 'answers',
  script: `
    -- Answers by request, each written with what the request has written. place: their order in the account; total: the bytes of all that
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
  `,
}
