import { hash } from 'node:crypto'
import type { RandomSource } from '../kernel/ids.ts'

/** Makes the text of a token: 32 random bytes in base64url, 43 characters. */
export function newTokenSecret(random: RandomSource): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** Gives what is kept of a token: with 256 random bits, a plain digest cannot be guessed back. */
export function tokenHash(secret: string): string {
  return hash('sha256', secret)
}
