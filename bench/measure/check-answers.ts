import { isDeepStrictEqual } from 'node:util'
import { pick } from '../corpus/expected.ts'
import type { WireRequest } from '../load/loader.ts'
import type { Contestant } from '../servers/contestant.ts'
import type { BenchDocument, ListWorkload } from '../workloads.ts'

/** The text of one answer; fails when it is not 2xx. */
export async function fetchText(port: number, { method = 'GET', target, headers, body }: WireRequest): Promise<string> {
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: { ...headers, ...contentType },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

/** Asks a list once and tells what is wrong with the answer; null when it is right in documents, order and fields. */
export async function findFault(
  contestant: Contestant,
  port: number,
  workload: ListWorkload,
  expected: readonly BenchDocument[],
): Promise<string | null> {
  const request = contestant.list(workload)
  if (request === null) return 'this server cannot be asked that'
  try {
    const documents = contestant.open(JSON.parse(await fetchText(port, request)))
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
    const document = contestant.open(JSON.parse(await fetchText(port, contestant.read(expected._id))))
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
