/** A time zone: how far local time is ahead of UTC, in milliseconds, at an instant. */
export interface Timezone {
  /** A zone with a name may change its clocks, and takes long to ask. */
  readonly isNamed: boolean
  offsetAt(instant: number): number
}

export const UTC: Timezone = { isNamed: false, offsetAt: () => 0 }

const MINUTE = 60_000

/** Zones by name; there are a few hundred names, and unknown ones are not kept. */
const knownZones = new Map<string, Timezone>()

/** Reads an offset (`+05:30`, `-0800`, `+03`), `UTC`, `GMT`, `Z` or an Olson name (`Europe/Berlin`); null for all else. */
export function readTimezone(text: string): Timezone | null {
  if (text === 'UTC' || text === 'GMT' || text === 'Z') return UTC
  const offset = /^([+-])([0-9]{2})(?::?([0-9]{2}))?$/.exec(text)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    const milliseconds = (offset[1] === '-' ? -minutes : minutes) * MINUTE
    return { isNamed: false, offsetAt: () => milliseconds }
  }
  return /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(text) ? readNamedZone(text) : null
}

/** Finds the instant at which the clocks of a zone show a local time; a time that they skip is the instant after the gap. */
export function instantOf(local: number, zone: Timezone): number {
  const guess = local - zone.offsetAt(local)
  return local - zone.offsetAt(guess)
}

function readNamedZone(name: string): Timezone | null {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  const clock = clockOf(name)
  if (clock === null) return null
  const zone: Timezone = {
    isNamed: true,
    offsetAt: (instant) => localTime(clock, instant) - Math.floor(instant / 1000) * 1000,
  }
  knownZones.set(name, zone)
  return zone
}

function clockOf(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // The only way in which Intl says that it does not know a zone.
    return null
  }
}

function localTime(clock: Intl.DateTimeFormat, instant: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of clock.formatToParts(instant)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000
}
