import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads a password from stdin: the first line of a pipe, or what is typed at a prompt, unseen. */
export async function readPassword(): Promise<string> {
  const isTyped = process.stdin.isTTY === true
  if (isTyped) process.stderr.write('Password: ')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTyped })
  try {
    const { value } = await lines[Symbol.asyncIterator]().next()
    return (value as string | undefined) ?? ''
  } finally {
    lines.close()
    if (isTyped) process.stderr.write('\n')
  }
}
