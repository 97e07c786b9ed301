import type { Migration } from './migration.ts'

/** Lets a request that is sent again with the same `Idempotency-Key` be answered as it was, instead of being carried out once more. */
export const answers: Migration = {
  version: 3,
  name: 'answers',
  // A program of before carries such a request out as any other.
  leastReader: 1,
  script: `
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
  `,
}
