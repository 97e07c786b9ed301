import type { Migration } from './migration.ts'

/**
 * How much every account has stored: its records and those that it removed and may restore, with the bytes of their texts. Earlier versions
 * are not counted: a record keeps a bounded number of them. Triggers keep it, so that nothing that writes can forget it.
 */
export const usage: Migration = {
  version: 12,
  name: 'usage',
  script: `
    CREATE TABLE usage (
      owner INTEGER PRIMARY KEY REFERENCES owner,
      records INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO usage
      SELECT owner, count(*), sum(octet_length(doc))
      FROM (SELECT owner, doc FROM record UNION ALL SELECT owner, doc FROM removed)
      GROUP BY owner;
    ${['record', 'removed'].map(triggersOn).join('')}
  `,
}

function triggersOn(table: string): string {
  return `
    CREATE TRIGGER ${table}_comes AFTER INSERT ON ${table} BEGIN
      INSERT INTO usage VALUES (new.owner, 1, octet_length(new.doc))
        ON CONFLICT (owner) DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
    END;
    CREATE TRIGGER ${table}_goes AFTER DELETE ON ${table} BEGIN
      UPDATE usage SET records = records - 1, bytes = bytes - octet_length(old.doc) WHERE owner = old.owner;
    END;
    CREATE TRIGGER ${table}_changes AFTER UPDATE OF doc ON ${table} BEGIN
      UPDATE usage SET bytes = bytes + octet_length(new.doc) - octet_length(old.doc) WHERE owner = new.owner;
    END;
  `
}
