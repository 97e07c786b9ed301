import { hash, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { hash as argon2, type Options, verify } from '@node-rs/argon2'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { nameKey } from '../kernel/names.ts'
import type { AccountStore, MeterUse, UserRow } from '../store/port/account-store.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import type { AccountSettings } from './settings.ts'

/** Runs a task when its turn comes, or refuses it at once when too many wait already. */
type WorkQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Makes a queue that runs `concurrency` tasks at a time and lets `capacity` more wait; `refuse` makes the error for the rest. */
export function createWorkQueue(concurrency: number, capacity: number, refuse: () => Error): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  return async (task) => {
    if (running >= concurrency) {
      if (waiting.length >= capacity) throw refuse()
      // A finished task hands its place over, so `running` does not change in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** Length of new passwords, in characters. */
export const PASSWORD_LENGTH = { least: 12, most: 1024 } as const

/** Turns passwords into hashes and compares them, off the request thread and never more than a few at a time. */
export interface Passwords {
  /** Gives the argon2id hash in PHC string format. */
  hash(password: string): Promise<string>
  /** Compares with a stored hash. `null`, for nobody, takes as long and is never right. */
  verify(storedHash: string | null, password: string): Promise<boolean>
  /** Number of passwords that wait or are being computed. */
  readonly underWay: number
}

export function createPasswords(settings: AccountSettings): Passwords {
  // The algorithm is the package's default, argon2id; a test holds it to that.
  const options: Options = { memoryCost: settings.passwordMemoryKib, timeCost: settings.passwordPasses, parallelism: 1 }
  const decoy = decoyHash(settings)
  const queue = createWorkQueue(settings.passwordConcurrency, settings.passwordQueue, tooBusy)
  let underWay = 0
  const inTurn: WorkQueue = (task) => {
    underWay += 1
    return queue(task).finally(() => {
      underWay -= 1
    })
  }

  return {
    get underWay() {
      return underWay
    },
    hash: (password) => inTurn(() => argon2(normalizePassword(password), options)),
    verify: (storedHash, password) =>
      inTurn(async () => {
        // No stored password is longer; a digest of megabytes would only cost time.
        const candidate = password.length > 4 * PASSWORD_LENGTH.most ? '' : normalizePassword(password)
        const equal = await verify(storedHash ?? decoy, candidate)
        return equal && storedHash !== null
      }),
  }
}

/** The same letters can be typed as different code points; NIST SP 800-63B asks for one form. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** A well-formed hash of no password: comparing with it costs what comparing with a real one does. */
function decoyHash({ passwordMemoryKib, passwordPasses }: AccountSettings): string {
  const unpadded = (size: number) => randomBytes(size).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${passwordMemoryKib},t=${passwordPasses},p=1$${unpadded(16)}$${unpadded(32)}`
}

function tooBusy(): AppError {
  return new AppError(
    ACCOUNT_ERRORS.loginsBusy,
    'The server is verifying too many passwords at once. Try again soon.',
    { retryAfterSeconds: 2 },
  )
}

/** The part of an address that stands for one customer: all of IPv4, also where it is written as IPv6, and a /64 of IPv6. */
function addressKey(address: string): string {
  const text = address.toLowerCase()
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice('::ffff:'.length)
  if (!isIPv6(text)) return text
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
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

/** Makes a throttle that counts in the store: for name and address together and, where the user has never logged in, for each alone. */
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

/** Key of a name: a user's name and e-mail have two, lest one tell of the other; of an unknown one, perhaps a password, 3 characters. */
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
