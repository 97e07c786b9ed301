import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { DEFAULT_RECORD_LIMITS } from '../limits.ts'
import type { ImportItem } from './import-item.ts'
import { Nesting } from './nesting.ts'
import { splitArray, splitLines, splitValues } from './split-items.ts'

/**
 * Takes the records out of a file of any length, one at a time: NDJSON, a JSON array, or objects written over several
 * lines. A record of more than `longest` characters is passed over with a fault.
 */
export async function* readImportItems(
  chunks: AsyncIterable<Uint8Array>,
  longest: number = DEFAULT_RECORD_LIMITS.bytes,
): AsyncGenerator<ImportItem> {
  const pieces = decode(chunks)
  let head = ''
  while (!tellsLayout(head, longest)) {
    const next = await pieces.next()
    if (next.done === true) break
    head += next.value
  }
  yield* splitterFor(head)(continued(head, pieces), longest)
}

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      yield decoder.decode(chunk, { stream: true })
      bytes += chunk.length
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const message = `The file is not text in UTF-8: the first fault comes after byte ${bytes}.`
    throw new AppError(RECORD_ERRORS.invalidImport, message, { hint: 'Convert the file to UTF-8.' }, error)
  }
}

async function* continued(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

/** An array shows by its bracket; lines and values over several lines differ in how the first line ends. */
function tellsLayout(head: string, longest: number): boolean {
  const text = head.trimStart()
  return text.startsWith('[') || text.includes('\n') || text.length > longest
}

function splitterFor(head: string): typeof splitLines {
  const text = head.trimStart()
  if (text.startsWith('[')) return splitArray
  const nesting = new Nesting()
  const end = text.indexOf('\n')
  for (const character of end < 0 ? text : text.slice(0, end)) nesting.read(character)
  return nesting.depth > 0 && !nesting.inString ? splitValues : splitLines
}
