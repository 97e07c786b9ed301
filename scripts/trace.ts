/**
 * Prints the way of one request through the program: its stations, the files that each enters in their order, and times. The server is a real one, with the
 * samples and nothing else, in which every function tells that it is entered; that costs time, so the times are for comparing with each other.
 *
 *     npm run trace -- GET '/api/2018-10-01/materials?query={"formula":"Si"}'
 *     npm run trace -- GET /api/2018-10-01/materials --again 2          the third time: from what is remembered
 *     npm run trace -- POST /api/2018-10-01/materials --body '{"name": …}'
 *     npm run trace -- GET /optimade/v1/structures --calls              every entry, one a line
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Stretch, stretchesOf } from './trace/stretches.ts'
import { makeTracedProgram } from './trace/traced-program.ts'
import { type Asked, type Trace, TracedServer } from './trace/traced-server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    body: { type: 'string' },
    again: { type: 'string', default: '0' },
    calls: { type: 'boolean', default: false },
  },
})
const [method, target] = positionals
const say = (line: string): void => void process.stdout.write(`${line}\n`)

if (method === undefined || target?.startsWith('/') !== true) {
  say('usage: npm run trace -- METHOD /PATH [--body JSON] [--again TIMES] [--calls]')
  process.exitCode = 2
} else {
  const asked = { method: method.toUpperCase(), target: encodeURI(decoded(target)) }
  print(await traceOf(values.body === undefined ? asked : { ...asked, body: values.body }))
}

/** Lists of other things come first, so that what is made once has been made. */
async function traceOf(asked: Asked): Promise<Trace> {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-trace-'))
  const server = await TracedServer.start(makeTracedProgram(), join(directory, 'data'))
  try {
    for (const limit of [1, 2, 3])
      await server.trace({ method: 'GET', target: `/api/2018-10-01/materials?limit=${limit}` })
    for (let time = 0; time < Number(values.again); time++) await server.trace(asked)
    return await server.trace(asked)
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function print({ status, headers, answer, entries }: Trace): void {
  const files = new Set(entries.map(({ called }) => called.file)).size
  const functions = new Set(entries.map(({ called }) => called)).size
  say(`${status}, ${answer.length} characters: ${files} files, ${functions} functions, ${entries.length} calls`)
  say(`Server-Timing: ${headers.get('server-timing') ?? 'none'}`)
  if (status >= 400) say(answer)
  if (values.calls) {
    for (const { at, thread, called } of entries) {
      say(
        `${milliseconds(at - (entries[0]?.at ?? 0))} ${where(thread)}${called.file}:${called.line} ${called.name ?? ''}`,
      )
    }
  } else for (const stretch of stretchesOf(entries)) printStretch(stretch)
}

function printStretch({ station, at, took, files }: Stretch): void {
  const calls = files.reduce((total, file) => total + file.calls, 0)
  say(`\n${milliseconds(at)} ms  ${station}: ${took.toFixed(3)} ms, ${files.length} files, ${calls} calls`)
  for (const { file, first, thread, at, took, calls } of files) {
    say(
      `${milliseconds(at)}  ${milliseconds(took)}  ${where(thread)}${file}:${first.line} ${first.name}${calls > 1 ? ` (${calls} calls)` : ''}`,
    )
  }
}

function milliseconds(value: number): string {
  return value.toFixed(3).padStart(9)
}

function where(thread: number): string {
  return thread === 0 ? '' : `[thread ${thread}] `
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
