import { randomBytes } from 'node:crypto'

/** Letters and digits that are hard to mistake for each other: no 0, 1, I, O, U, V, l. */
export const ID_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTWXYZabcdefghijkmnopqrstuvwxyz'
export const ID_LENGTH = 17

/** A source of random bytes; injected so that tests can repeat a run. */
export type RandomSource = (size: number) => Uint8Array

export const systemRandom: RandomSource = (size) => randomBytes(size)

/** Makes an id of 17 characters, each equally likely: bytes at or above the largest multiple of 55 are thrown away. */
export function newId(random: RandomSource = systemRandom): string {
  const unbiased = 256 - (256 % ID_ALPHABET.length)
  let id = ''
  while (id.length < ID_LENGTH) {
    for (const byte of random(ID_LENGTH * 2)) {
      if (byte < unbiased && id.length < ID_LENGTH) id += ID_ALPHABET[byte % ID_ALPHABET.length]
    }
  }
  return id
}

const ID_PATTERN = new RegExp(`^[${ID_ALPHABET}]{${ID_LENGTH}}$`)

export function isId(text: string): boolean {
  return ID_PATTERN.test(text)
}
