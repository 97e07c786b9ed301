import type { Migration } from './migration.ts'

/** Lets what was given up of records be tried again without a look at all of them. */
export const givenUp: Migration = {
  version: 17,
  name: 'given-up',
  script: `
    -- After how many milliseconds something that is computed of the record was given up, 0 where it was not tried; null: nothing is to be tried again.
    ALTER TABLE record ADD COLUMN gave_up_ms INTEGER;
    CREATE INDEX record_given_up ON record (collection, n, gave_up_ms) WHERE gave_up_ms IS NOT NULL;
    -- Those of before that say why they have no space group are looked at once more.
    UPDATE record SET gave_up_ms = 0 WHERE instr(doc, '"key":"spaceGroup"') > 0;
  `,
}
