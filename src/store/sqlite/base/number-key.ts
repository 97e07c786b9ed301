import { damageMet } from '../../errors.ts'
import { NumberCipher } from '../../number-cipher.ts'
import type { Connection } from './database.ts'

/** The cipher under the key of the file. */
export function numberCipher(connection: Connection): NumberCipher {
  const key = connection.prepare<[], Buffer>('SELECT key FROM number_key').pluck().get()
  if (key === undefined) throw damageMet('The database has lost the key of its numbers.')
  return new NumberCipher(key)
}
