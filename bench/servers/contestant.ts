import type { WireRequest } from '../load/loader.ts'
import type { ServerCommand } from '../load/server-process.ts'
import type { ListWorkload } from '../workloads.ts'

/** A server that takes part: how it is started, asked and understood. */
export interface Contestant {
  readonly name: string
  readonly title: string
  /** One that is `repeated` remembers its answers, so that what was never asked says nothing about it. */
  readonly role: 'floor' | 'quarry' | 'repeated' | 'peer'
  /** Which part of the data set its answers come from. */
  readonly sees: 'visible' | 'all'
  readonly command: ServerCommand
  /** The request for one material. */
  readonly read: (id: string) => WireRequest
  /** The request for a list; null when the server has no way to ask this. */
  readonly list: (workload: Pick<ListWorkload, 'query' | 'projection'>) => WireRequest | null
  /** The record of an answer to `read`, the records of an answer to `list`. */
  readonly open: (body: unknown) => unknown
}

/** The address of a list in the style of this API; peers that were written for the comparison use it too. */
export function listTarget(base: string, { query, projection }: Pick<ListWorkload, 'query' | 'projection'>): string {
  const parameters = { query: JSON.stringify(query), projection: JSON.stringify(projection) }
  return `${base}?${new URLSearchParams(parameters)}`
}

/** Opens the envelope `{"status":"success","data":…}`. */
export function openEnvelope(body: unknown): unknown {
  return (body as { readonly data?: unknown }).data
}
