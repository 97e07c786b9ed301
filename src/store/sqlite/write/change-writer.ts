import type { PendingChanges } from '../../changes/pending-changes.ts'
import type { Connection } from '../base/database.ts'

/** Prepares the statements that count changes, the last act of a transaction. */
export function changeWriter(connection: Connection): (changes: PendingChanges) => void {
  const records = connection.prepare('UPDATE collection SET records = records + ? WHERE number = ?')
  const change = connection.prepare(
    'INSERT INTO home (number, changes) VALUES (?, 1) ON CONFLICT (number) DO UPDATE SET changes = changes + 1',
  )
  return ({ homes, records: differences }) => {
    for (const [collection, difference] of differences) if (difference !== 0) records.run(difference, collection)
    for (const home of homes) change.run(home)
  }
}
