import { isoInstant } from '../../kernel/clock.ts'
import type { Json } from '../../kernel/json.ts'

const ISO =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$/
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Reads an instant from ISO 8601 text or milliseconds and writes it the way records keep it, which orders like time; null
 * when it is none. Years stay within four digits, where that order holds.
 */
export function readInstant(value: Json): string | null {
  const milliseconds = typeof value === 'string' ? parseIso(value) : value
  if (typeof milliseconds !== 'number' || !Number.isInteger(milliseconds)) return null
  return milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT ? isoInstant(milliseconds) : null
}

function parseIso(text: string): number | null {
  const match = ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const milliseconds = Date.parse(local)
  // JavaScript moves 30 February into March; an instant that does not read back as it was written is none.
  if (Number.isNaN(milliseconds) || isoInstant(milliseconds) !== local) return null
  return milliseconds - zoneOffset(zone)
}

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
