import { nameKey } from '../../../kernel/names.ts'
import type { Connection } from '../database.ts'
import type { Migration } from './migration.ts'

/** What slows down those who guess passwords, where users have logged in from, and which tokens have ended by themselves. */
export const logIn: Migration = {
  version: 9,
  name: 'log-in',
  script: `
    -- Failed log-ins that are not forgiven yet, by what they count for. empty_at: when all of them will be, in milliseconds since 1970.
    CREATE TABLE login_meter (
      key TEXT PRIMARY KEY,
      empty_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX login_meter_end ON login_meter (empty_at);

    -- Addresses from which a user has logged in, as digests.
    CREATE TABLE known_address (
      user TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
      digest TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      PRIMARY KEY (user, digest)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE token ADD COLUMN ended_at INTEGER;
  `,
  fill: renewKeys,
}

/** Addresses are compared in a form that a few of them did not have yet. One whose new form is taken keeps the old one. */
function renewKeys(connection: Connection): void {
  const renew = connection.prepare('UPDATE OR IGNORE user SET email_key = ? WHERE id = ?')
  const users = connection
    .prepare<[], { id: string; email: string }>('SELECT id, email FROM user WHERE email IS NOT NULL')
    .all()
  for (const { id, email } of users) renew.run(nameKey(email), id)
}
