import { request as send } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { pick } from '../corpus/expected.ts'
import type { WireRequest } from '../load/loader.ts'
import type { Contestant } from '../servers/contestant.ts'
import type { BenchDocument, ListWorkload } from '../workloads.ts'

/** An answer as it came: names and values of its head in turn, without those that node:http writes by itself, and its body. */
export interface Answer {
  readonly head: readonly string[]
  readonly body: string
}

const OF_NODE = ['date', 'connection', 'keep-alive']

/** Asks once, as the loader does; fails when the answer is not 2xx. */
export function fetchAnswer(port: number, { method = 'GET', target, headers, body }: WireRequest): Promise<Answer> {
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: target, method, headers: { ...headers, ...contentType } }
    const request = send(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0, rawHeaders } = response
        if (statusCode < 200 || statusCode > 299) reject(new Error(`answered ${statusCode}: ${text.slice(0, 300)}`))
        else resolve({ head: rawHeaders.flatMap(pairUnlessOfNode), body: text })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

function pairUnlessOfNode(name: string, at: number, all: readonly string[]): readonly string[] {
  return at % 2 === 1 || OF_NODE.includes(name.toLowerCase()) ? [] : [name, all[at + 1] ?? '']
}

/** What an answer has in its envelope, `{"status":"success","data":…}`. */
export async function fetchData(port: number, request: WireRequest): Promise<unknown> {
  return (JSON.parse((await fetchAnswer(port, request)).body) as { readonly data?: unknown }).data
}

/** Asks a list once and tells what is wrong with the answer; null when it is right in documents, order and fields. */
export async function findFault(
  contestant: Contestant,
  port: number,
  workload: ListWorkload,
  expected: readonly BenchDocument[],
): Promise<string | null> {
  try {
    const documents = await fetchData(port, contestant.list(workload))
    return Array.isArray(documents) ? compare(documents, expected, workload) : 'no array of documents'
  } catch (error) {
    return (error as Error).message
  }
}

/** Asks one record and tells what is wrong with the answer. */
export async function findFaultInRecord(
  contestant: Contestant,
  port: number,
  expected: BenchDocument,
): Promise<string | null> {
  try {
    const document = await fetchData(port, contestant.read(expected._id))
    return isDeepStrictEqual(document, expected) ? null : `not the stored document ${expected._id}`
  } catch (error) {
    return (error as Error).message
  }
}

function compare(
  answered: readonly BenchDocument[],
  expected: readonly BenchDocument[],
  workload: ListWorkload,
): string | null {
  if (answered.length !== expected.length) return `${answered.length} documents instead of ${expected.length}`
  for (const [index, document] of expected.entries()) {
    const given = answered[index] as BenchDocument
    if (given._id !== document._id) return `at ${index}: document ${given._id} instead of ${document._id}`
    if (!isDeepStrictEqual(given, pick(document, workload.projection.fields)))
      return `at ${index}: not the right fields`
  }
  return null
}
