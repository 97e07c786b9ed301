import { AppError } from '../kernel/errors.ts'
import type { AccountWords } from '../store/port/account-store.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

/** Most characters of what an organization tells of itself. */
export const TITLE_LENGTH = 100
export const DESCRIPTION_LENGTH = 2000

/** Text without what no line has: control characters and separators of lines. */
const LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u
/** The same with line breaks and tabs, which text has. */
const LINES = /^(?:\P{Cc}|[\t\n\r])*$/u

/** Words as somebody sends them; null takes them away, and what is left out stays. */
export type GivenWords = { readonly [Name in keyof AccountWords]?: AccountWords[Name] | undefined }

/** Reads words by the rules for them, without spaces around; an empty description is none. */
export function readWords({ title, description }: GivenWords): Partial<AccountWords> {
  return {
    ...(title === undefined ? {} : { title: title === null ? null : readTitle(title) }),
    ...(description === undefined ? {} : { description: description === null ? null : readDescription(description) }),
  }
}

function readTitle(text: string): string {
  const title = text.trim()
  if (title.length <= TITLE_LENGTH && LINE.test(title)) return title
  throw new AppError(
    ACCOUNT_ERRORS.invalidTitle,
    `The title of an organization has 1 to ${TITLE_LENGTH} characters on one line, such as "Surface Lab 2".`,
    { path: 'title', hint: 'Leave it out, or send null, where the name is enough.' },
  )
}

function readDescription(text: string): string | null {
  const description = text.trim()
  if (description.length <= DESCRIPTION_LENGTH && LINES.test(description)) return description || null
  throw new AppError(
    ACCOUNT_ERRORS.invalidDescription,
    `The description of an organization has up to ${DESCRIPTION_LENGTH} characters, no control characters but line breaks and tabs.`,
    { path: 'description' },
  )
}
