import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { AppError } from '../kernel/errors.ts'
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
    hash: (password) => inTurn(() => hash(normalizePassword(password), options)),
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
