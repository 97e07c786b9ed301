import type { Migration } from './migration.ts'

/** Which fields the records of a scope have, and what kinds of values are in them. Nothing fills it any more: a later version takes it away. */
export const fieldKinds: Migration = {
  version: 8,
  name: 'field-kinds',
  script: `
    -- How many records of a scope have a value of a kind at a path. path_kind is 8 * path + kind (0 null, 1 number, 2 string,
    -- 3 boolean, 4 array, 5 object, 6 values that the leaf index leaves out). While the index is made anew it lacks the same records.
    CREATE TABLE field_kind (
      scope INTEGER NOT NULL,
      path_kind INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (scope, path_kind)
    ) STRICT, WITHOUT ROWID;
  `,
}
