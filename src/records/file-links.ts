import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../kernel/errors.ts'
import { isJsonObject, type JsonObject, ownField } from '../kernel/json.ts'
import type { FileContent } from '../store/port/file-store.ts'
import { RECORD_ERRORS } from './errors.ts'

/** What a link lets its bearer do, for an account and no longer than it says. */
export type FileGrant =
  | { readonly may: 'read' | 'upload'; readonly collection: string; readonly id: string; readonly name: string }
  /** Make a file of a record of a content that the account has stored. */
  | ({ readonly may: 'use' } & FileContent)

/** Who gave a link. */
export interface Grantor {
  readonly accountId: string
  readonly userId: string
}

/** Milliseconds for which a link holds. */
export const LINK_MS = { read: 3_600_000, upload: 3_600_000, use: 24 * 3_600_000 } as const

/** Signs what an account lets the bearer of a text do, under a key that stays in the database. */
export class FileLinks {
  readonly #key: string
  readonly #clock: () => number

  constructor(key: string, clock: () => number) {
    this.#key = key
    this.#clock = clock
  }

  sign(grant: FileGrant, by: Grantor): string {
    const content = Buffer.from(JSON.stringify({ ...grant, ...by, until: this.#clock() + LINK_MS[grant.may] }))
    const text = content.toString('base64url')
    return `${text}.${this.#sumOf(text).toString('base64url')}`
  }

  /** Reads what a text grants; refuses one that was not given here, or not for this, or is too old. */
  read<May extends FileGrant['may']>(text: string, may: May): Extract<FileGrant, { may: May }> & Grantor {
    const [content = '', sum = ''] = text.split('.')
    const given = Buffer.from(sum, 'base64url')
    const right = this.#sumOf(content)
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw badLink('It was not given out here.')
    const grant = JSON.parse(Buffer.from(content, 'base64url').toString()) as JsonObject
    if (!isJsonObject(grant) || ownField(grant, 'may') !== may) throw badLink('It was given out for something else.')
    if (Number(ownField(grant, 'until')) < this.#clock()) throw badLink('Its time is over.')
    return grant as unknown as Extract<FileGrant, { may: May }> & Grantor
  }

  /** Reads what a text grants to an account that has got it. */
  readOf<May extends FileGrant['may']>(text: string, may: May, accountId: string): Extract<FileGrant, { may: May }> {
    const grant = this.read(text, may)
    if (grant.accountId !== accountId) throw badLink('It was given to another account.')
    return grant
  }

  #sumOf(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}

function badLink(why: string): AppError {
  return new AppError(RECORD_ERRORS.badLink, `The link or ticket cannot be used. ${why}`, {
    hint: 'Ask for another one.',
  })
}
