import { readFile } from 'node:fs/promises'
import { AppError } from '../kernel/errors.ts'
import { nameKey } from '../kernel/names.ts'
import { projectFile } from '../kernel/project-files.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { normalizePassword, PASSWORD_LENGTH } from './passwords.ts'

/** Tells whether a text is one of the passwords that are guessed first. */
export type IsCommon = (text: string) => boolean

const LINE_END = 10

/**
 * Reads 49,233 of the most common passwords, in lower case, in the order of their bytes: `passwords-common` of `@zxcvbn-ts/language-common` 4.1.3 (MIT, Copyright (c) Dan
 * Wheeler, Dropbox, and the authors of zxcvbn-ts), made of public lists of passwords that were found out. Those who give out passwords ask for it, never a login.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const list = await readFile(projectFile('src/accounts/common-passwords.txt'))
  return (text) => hasLine(list, Buffer.from(text))
}

/** Finds a line among lines that are in the order of their bytes. */
function hasLine(lines: Buffer, line: Buffer): boolean {
  let [from, to] = [0, lines.length]
  while (from < to) {
    const begin = lines.lastIndexOf(LINE_END, Math.floor((from + to) / 2) - 1) + 1
    const end = lines.indexOf(LINE_END, begin)
    const order = Buffer.compare(lines.subarray(begin, end), line)
    if (order === 0) return true
    if (order < 0) from = end + 1
    else to = begin
  }
  return false
}

/** Characters that a password may have around a common one without being another: years, exclamation marks. */
const MOST_AROUND = 6
/** Shorter texts occur in many good passwords. */
const LEAST_CORE = 4
/** Fewer characters that are repeated make no password, however often. */
const LEAST_UNIT = 6
/** Runs along the alphabet or the keyboard that a password may consist of and be guessed by them. */
const MOST_RUNS = 3

/** Sequences of neighbours: in counting, in the alphabet and on keyboards. */
const ROWS: readonly string[] = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]

/** Characters written in place of letters; `1`, `!` and `|` stand for i or l. */
const WRITTEN_FOR: readonly ReadonlyMap<string, string>[] = ['i', 'l'].map(
  (one) =>
    new Map([
      ['0', 'o'],
      ['1', one],
      ['!', one],
      ['|', one],
      ['3', 'e'],
      ['4', 'a'],
      ['@', 'a'],
      ['5', 's'],
      ['$', 's'],
      ['7', 't'],
      ['+', 't'],
    ]),
)

/** Tells whether a password is a common one, spelled otherwise, backwards, spaced, repeated or with few characters around it, or a walk. */
export function isVariantOfCommon(password: string, isCommon: IsCommon): boolean {
  const plain = nameKey(password)
  const joined = plain.replace(/[\s._-]+/gu, '')
  return [plain, joined, backwards(plain)].some((text) => isGuessed(text, isCommon))
}

/** Removes every mention of words that have 3 characters or more. */
function withoutWords(password: string, words: readonly string[]): string {
  return words
    .map(nameKey)
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), nameKey(password))
}

function isGuessed(text: string, isCommon: IsCommon): boolean {
  return runsIn(text) <= MOST_RUNS || coresOf(text, isCommon).some((core) => isBuiltOf(core, isCommon))
}

/** A common password, however its letters are written, or something over and over. */
function isBuiltOf(text: string, isCommon: IsCommon): boolean {
  const unit = repeatedUnit(text)
  if (unit !== null) return unit.length < LEAST_UNIT || isBuiltOf(unit, isCommon)
  return isCommon(text) || WRITTEN_FOR.some((writing) => isCommon(readAs(text, writing)))
}

/** Possible cores of a text, without what is put around a password: few characters or a common sequence, no letters. */
function coresOf(text: string, isCommon: IsCommon): readonly string[] {
  const before = noLettersAtStart(text)
  const behind = noLettersAtStart(backwards(text))
  const isPlain = (side: string) => isCommon(side) || runsIn(side) <= MOST_RUNS
  const isAround = isPlain(before) && isPlain(backwards(behind))
  const cores = isAround ? [text.slice(before.length, text.length - behind.length)] : []
  for (let from = 0; from <= Math.min(before.length, MOST_AROUND); from++) {
    for (let less = 0; less <= Math.min(behind.length, MOST_AROUND - from); less++) {
      cores.push(text.slice(from, text.length - less))
    }
  }
  return cores.filter((core) => core.length >= LEAST_CORE)
}

function noLettersAtStart(text: string): string {
  return /^\P{L}*/u.exec(text)?.[0] ?? ''
}

function readAs(text: string, writing: ReadonlyMap<string, string>): string {
  return Array.from(text, (character) => writing.get(character) ?? character).join('')
}

function backwards(text: string): string {
  return Array.from(text).reverse().join('')
}

/** The part of which a text is nothing but repetitions; null when it is none. */
function repeatedUnit(text: string): string | null {
  const at = `${text}${text}`.indexOf(text, 1)
  return at < text.length ? text.slice(0, at) : null
}

/** Number of stretches in which each character equals the one before or is its neighbour. */
function runsIn(text: string): number {
  const characters = Array.from(text)
  return characters.filter((character, index) => !areNeighbours(characters[index - 1], character)).length
}

function areNeighbours(one: string | undefined, other: string): boolean {
  if (one === undefined) return false
  return one === other || ROWS.some((row) => row.includes(one + other) || row.includes(other + one))
}

export interface PasswordOwner {
  readonly name: string
  readonly email: string | null
}

/** Characters that a password has to have beside the names that everybody knows. */
const LEAST_BESIDE_NAMES = 8

/** Refuses a new password that would be guessed; one that was given out under other rules still works. */
export async function assertNewPassword(password: string, owner: PasswordOwner): Promise<void> {
  assertLength(password)
  if (withoutWords(password, wordsOf(owner)).length < LEAST_BESIDE_NAMES) {
    throw new AppError(
      ACCOUNT_ERRORS.guessablePassword,
      'This password is little more than the name or the e-mail address of the user, or of this program.',
      { path: 'password', hint: HINT },
    )
  }
  if (!isVariantOfCommon(password, await loadCommonPasswords())) return
  throw new AppError(
    ACCOUNT_ERRORS.guessablePassword,
    'This password is among those that are guessed first: a common one, a variant of one, or a walk over the keyboard.',
    { path: 'password', hint: HINT },
  )
}

const HINT = 'Several words that nobody expects together are long enough and easy to remember.'

function assertLength(password: string): void {
  const length = [...normalizePassword(password)].length
  if (length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidPassword,
    `A password has ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters; this one has ${length}.`,
    { path: 'password' },
  )
}

function wordsOf({ name, email }: PasswordOwner): readonly string[] {
  const address = email === null ? [] : [email, email.slice(0, email.indexOf('@'))]
  return [name, ...address, 'quarry']
}
