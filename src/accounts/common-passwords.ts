import { readFile } from 'node:fs/promises'
import { projectFile } from '../kernel/project-files.ts'

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
