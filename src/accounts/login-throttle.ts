import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { nameKey } from '../kernel/names.ts'
import type { AccountStore, MeterUse, UserRow } from '../store/port/account-store.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import type { AccountSettings } from './settings.ts'

/** The part of an address that stands for one customer: all of IPv4, also where it is written as IPv6, and a /64 of IPv6. */
function addressKey(address: string): string {
  const text = address.toLowerCase()
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice('::ffff:'.length)
  if (!isIPv6(text)) return text
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...middle, ...right].slice(0, 4).map(withoutZeros).join(':')
}

function withoutZeros(group: string): string {
  return Number.parseInt(group, 16).toString(16)
}

interface LoginAttempt {
  readonly login: string
  readonly address: string
  /** User with that name or e-mail address. */
  readonly user: UserRow | null
}

/** An attempt that has been counted and may be verified. */
interface CountedAttempt {
  /** The password was right: the attempt does not count, and the user is known at this address from now on. */
  succeed(user: UserRow): Promise<void>
  /** Nothing was verified: the attempt does not count. Fails with what kept it from being. */
  giveUp(reason: unknown): Promise<never>
}

/** Slows down whoever guesses passwords, without keeping out those who know theirs. */
export interface LoginThrottle {
  /** Counts an attempt before it is verified, so that many at once gain nothing; refuses when there were too many. */
  begin(attempt: LoginAttempt): Promise<CountedAttempt>
}

/**
 * Makes a throttle that counts in the store. At an address that is new to the user, an attempt counts for name and address together, for
 * the name, and for the address; at one from which the user has logged in, for the two together only: what others send from
 * elsewhere, or for other names, keeps nobody out there.
 */
export function createLoginThrottle(store: AccountStore, settings: AccountSettings, clock: Clock): LoginThrottle {
  const windowMs = settings.loginWindowSeconds * 1000
  const meter = (limit: number, ...parts: string[]): MeterUse => ({
    key: digest(parts.join(' ')),
    share: windowMs / limit,
    windowMs,
  })

  return {
    async begin(attempt) {
      const address = addressKey(attempt.address)
      const place = digest(`${attempt.user?.id ?? ''} ${address}`)
      const isKnown = await store.knowsAddress(attempt.user?.id ?? '', place)
      const name = meteredName(attempt)
      const pair = isKnown
        ? meter(settings.loginFailuresPerAddress, 'known', name, address)
        : meter(settings.loginFailuresPerPair, 'pair', name, address)
      const others = isKnown
        ? []
        : [
            meter(settings.loginFailuresPerName, 'name', name),
            meter(settings.loginFailuresPerAddress, 'address', address),
          ]
      const wait = await store.countOn([pair, ...others], clock())
      if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
      return {
        async succeed(user) {
          const emptied = { ...pair, share: windowMs }
          await Promise.all([
            store.takeBackFrom([emptied, ...others], clock()),
            store.noteAddress(user.id, place, clock()),
          ])
        },
        async giveUp(reason) {
          await store.takeBackFrom([pair, ...others], clock())
          throw reason
        },
      }
    },
  }
}

/**
 * Key for counting attempts by name. Name and e-mail address of a user have two keys, or an attacker would learn that they belong together.
 * A name that no user has is kept as 3 characters of its digest: people type passwords where their names belong.
 */
function meteredName({ login, user }: LoginAttempt): string {
  const key = nameKey(login)
  if (user === null) return digest(key).slice(0, 3)
  return `${user.id} ${key === nameKey(user.name) ? 'name' : 'e-mail'}`
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

function tooMany(seconds: number): AppError {
  return new AppError(
    ACCOUNT_ERRORS.tooManyLogins,
    `Too many failed logins for this name or from this address. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )
}
