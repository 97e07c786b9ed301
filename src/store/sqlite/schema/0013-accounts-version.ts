import type { Migration } from './migration.ts'

/**
 * A counter that grows when users, accounts, memberships or tokens change or go, but for the uses of tokens: by it, whoever has looked a
 * credential up knows that it still is what it was. Triggers raise it, so that nothing that writes can forget it.
 */
export const accountsVersion: Migration = {
  version: 13,
  name: 'accounts-version',
  script: `
    CREATE TABLE accounts_version (version INTEGER NOT NULL) STRICT;
    INSERT INTO accounts_version VALUES (0);
    ${['user', 'account', 'membership'].map((table) => raisedBy(table)).join('')}
    ${raisedBy('token', 'id, kind, name, hash, user, account, one_account, read_only, created_at, expires_at, ended_at')}
  `,
}

/** `columns`: those whose change counts, where not all do. */
function raisedBy(table: string, columns?: string): string {
  const raise = 'BEGIN UPDATE accounts_version SET version = version + 1; END;'
  return `
    CREATE TRIGGER ${table}_is_changed AFTER UPDATE ${columns === undefined ? '' : `OF ${columns} `}ON ${table} ${raise}
    CREATE TRIGGER ${table}_is_gone AFTER DELETE ON ${table} ${raise}
  `
}
