import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { nameKey } from '../kernel/name-key.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import type { AccountSettings } from './settings.ts'

/** Names and addresses that are remembered at most; the ones that failed longest ago are forgotten first. */
const REMEMBERED = 50_000

/** Slows down whoever guesses passwords. */
export interface LoginThrottle {
  /** Counts an attempt before it is verified, so that many at once gain nothing; refuses when there were too many. */
  begin(login: string, address: string): void
  /** Takes the attempt back from the address and forgets the failures of the name: the password was right. */
  succeed(login: string, address: string): void
}

/** Makes a throttle that lives in memory: a restart forgives everyone. */
export function createLoginThrottle(settings: AccountSettings, clock: Clock): LoginThrottle {
  const windowMs = settings.loginWindowSeconds * 1000
  const names = createMeter(settings.loginFailuresPerName, windowMs, clock)
  const addresses = createMeter(settings.loginFailuresPerAddress, windowMs, clock)

  return {
    begin(login, address) {
      const wait = Math.max(names.waitOf(digestOf(login)), addresses.waitOf(addressKey(address)))
      if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
      names.add(digestOf(login))
      addresses.add(addressKey(address))
    },
    succeed(login, address) {
      names.forget(digestOf(login))
      addresses.takeBack(addressKey(address))
    },
  }
}

/** Counts events by key; each event is forgiven after its share of the window (a leaky bucket, one number a key). */
function createMeter(limit: number, windowMs: number, clock: Clock) {
  const share = windowMs / limit
  /** When all events of the key will be forgiven. Insertion order is order of the last event. */
  const emptyAt = new Map<string, number>()

  const write = (key: string, instant: number) => {
    emptyAt.delete(key)
    if (instant > clock()) emptyAt.set(key, instant)
    for (const oldest of emptyAt.keys()) {
      if (emptyAt.size <= REMEMBERED) break
      emptyAt.delete(oldest)
    }
  }
  const read = (key: string) => Math.max(emptyAt.get(key) ?? 0, clock())

  return {
    /** Milliseconds until one more event fits. */
    waitOf: (key: string) => Math.max(0, read(key) + share - windowMs - clock()),
    add: (key: string) => write(key, read(key) + share),
    takeBack: (key: string) => write(key, read(key) - share),
    forget: (key: string) => emptyAt.delete(key),
  }
}

/** A digest keeps every key equally small. */
function digestOf(login: string): string {
  return hash('sha256', nameKey(login), 'base64url')
}

/** One customer has a whole /64 of IPv6 addresses, so that is what counts as one address. */
function addressKey(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':')
  const right = tail === undefined ? [] : tail.split(':')
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return groups.slice(0, 4).join(':')
}

function tooMany(seconds: number): AppError {
  return new AppError(
    ACCOUNT_ERRORS.tooManyLogins,
    `Too many failed logins for this name or from this address. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )
}
