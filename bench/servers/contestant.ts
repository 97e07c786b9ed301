import type { WireRequest } from '../load/loader.ts'
import type { ServerCommand } from '../load/server-process.ts'
import type { ListWorkload } from '../workloads.ts'

/** A server that takes part: how it is started and asked. */
export interface Contestant extends Asking {
  readonly name: string
  readonly title: string
  /** One that is `repeated` remembers its answers, so that what was never asked says nothing about it. */
  readonly role: 'floor' | 'quarry' | 'repeated' | 'peer'
  /** Which part of the data set its answers come from. */
  readonly sees: 'visible' | 'all'
  readonly command: ServerCommand
}

/** The requests for one material, and for a list. */
export interface Asking {
  readonly read: (id: string) => WireRequest
  readonly list: (question: Question) => WireRequest
}

export type Question = Pick<ListWorkload, 'query' | 'projection'>

/** Asks in the style of this API, in which peers that were written for the comparison are asked, too. */
export function askingOf(base: string, headers: { readonly [name: string]: string } = {}): Asking {
  return {
    read: (id) => ({ target: `${base}/${id}`, headers }),
    list: (question) => ({ target: listTarget(base, question), headers }),
  }
}

/** The address of a list. */
export function listTarget(base: string, { query, projection }: Question): string {
  const parameters = { query: JSON.stringify(query), projection: JSON.stringify(projection) }
  return `${base}?${new URLSearchParams(parameters)}`
}
