import { type Cipher, createCipheriv, createDecipheriv, type Decipher } from 'node:crypto'

/** Place in a list: in each home of the requester, the number of the last record before it; -1 where there was none. */
export interface ListPosition {
  readonly numbers: readonly number[]
  /** Index of the home that has the last record of the page. */
  readonly home: number
}

/** The records of a list: of one collection, in the homes that the requester sees. */
export interface ListExtent {
  readonly collection: number
  readonly homes: readonly number[]
}

/** Stands for all homes, where a list has one place in them together. */
export const EVERY_HOME = 2 ** 48 - 1

/** Kinds of blocks; the other bytes are of the collection, the home and the number. */
const SERIAL = 1
const PLACE = 2
const PLACE_OF_RECORD = 3

/** The block of AES, in bytes: what, collection, home, number. */
const BLOCK = 16
const [COLLECTION_AT, HOME_AT, NUMBER_AT] = [1, 4, 10] as const

/**
 * Enciphers numbers of records before they leave the store: two of them would tell how many records everybody has made in between.
 * Each is one AES-256 block with what it numbers: the same gives the same text, and no place in a list can be made from that in another.
 */
export class NumberCipher {
  readonly #encipher: Cipher
  readonly #decipher: Decipher

  constructor(key: Uint8Array) {
    // Blocks do not depend on each other: one cipher serves for all, which costs a third of a new one each time.
    this.#encipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
    this.#decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  }

  /** The number of a record as clients may see it: 22 characters. */
  serialOf(n: number): string {
    const block = Buffer.alloc(BLOCK)
    writeBlock(block, [SERIAL, 0, 0, n])
    return this.#encipher.update(block).toString('base64url')
  }

  writePosition({ collection, homes }: ListExtent, { numbers, home }: ListPosition): string {
    const blocks = Buffer.alloc(BLOCK * homes.length)
    for (const [at, number] of homes.entries()) {
      const what = at === home ? PLACE_OF_RECORD : PLACE
      writeBlock(blocks.subarray(at * BLOCK), [what, collection, number, (numbers[at] ?? -1) + 1])
    }
    return this.#encipher.update(blocks).toString('base64url')
  }

  /** Null for what has not been written for the same list. A requester may have got a home since: nothing of that came before the place. */
  readPosition({ collection, homes }: ListExtent, text: string): ListPosition | null {
    const enciphered = Buffer.from(text, 'base64url')
    // Less than a block would wait in the cipher for the rest of it.
    if (enciphered.length % BLOCK !== 0 || enciphered.length > BLOCK * homes.length) return null
    const blocks = this.#decipher.update(enciphered)
    const numbers = new Array<number>(homes.length).fill(-1)
    let ofRecord: number | null = null
    for (let at = 0; at * BLOCK < blocks.length; at += 1) {
      const [what, ofCollection, ofHome, number] = readBlock(blocks.subarray(at * BLOCK))
      if (ofCollection !== collection || ofHome !== homes[at]) return null
      if (what === PLACE_OF_RECORD) ofRecord = at
      else if (what !== PLACE) return null
      numbers[at] = number - 1
    }
    return ofRecord === null ? null : { numbers, home: ofRecord }
  }
}

type Block = readonly [what: number, collection: number, home: number, number: number]

function writeBlock(bytes: Buffer, [what, collection, home, number]: Block): void {
  bytes.writeUInt8(what)
  bytes.writeUIntBE(collection, COLLECTION_AT, 3)
  bytes.writeUIntBE(home, HOME_AT, 6)
  bytes.writeUIntBE(number, NUMBER_AT, 6)
}

function readBlock(bytes: Buffer): Block {
  return [
    bytes.readUInt8(),
    bytes.readUIntBE(COLLECTION_AT, 3),
    bytes.readUIntBE(HOME_AT, 6),
    bytes.readUIntBE(NUMBER_AT, 6),
  ]
}
