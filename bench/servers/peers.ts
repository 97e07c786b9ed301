import { fileURLToPath } from 'node:url'
import { isJsonObject } from '../../src/kernel/json.ts'
import type { ListWorkload } from '../workloads.ts'
import { type Contestant, listTarget, openEnvelope } from './contestant.ts'

type Question = Pick<ListWorkload, 'query' | 'projection'>

/** The peers, each over the same documents in its memory. None of them has accounts: they see all documents. */
export function peersOver(dataFile: string): readonly Contestant[] {
  const peer = (name: string, title: string, talk: Pick<Contestant, 'list' | 'open'>): Contestant => ({
    name,
    title,
    role: 'peer',
    sees: 'all',
    command: { file: peerFile(name), args: [dataFile] },
    read: (id) => ({ target: `/materials/${id}` }),
    ...talk,
  })
  const mongo = {
    list: (workload: Question) => ({ target: listTarget('/materials', workload) }),
    open: openEnvelope,
  }
  return [
    peer('express-mingo', 'Express 5 + mingo over an array', mongo),
    peer('express-nedb', 'Express 5 + NeDB, indexed', mongo),
    peer('feathers-memory', 'Feathers 5 + memory', { list: askFeathers, open: openFeathers }),
    peer('json-server', 'json-server 0.17', { list: askJsonServer, open: (body) => body }),
  ]
}

/** The program of a peer, in the folder `peers`. */
export function peerFile(name: string): string {
  return fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url))
}

/** Feathers has its own parameters; its memory store cannot choose fields inside an object. */
function askFeathers({ query, projection }: Question): { target: string } | null {
  if (Object.keys(projection.fields ?? {}).some((path) => path.includes('.'))) return null
  const parameters = new URLSearchParams({ $limit: String(projection.limit), $skip: String(projection.skip ?? 0) })
  for (const [path, value] of Object.entries(query)) parameters.append(path, String(value))
  for (const [path, direction] of Object.entries(projection.sort))
    parameters.append(`$sort[${path}]`, String(direction))
  for (const path of Object.keys(projection.fields ?? {})) parameters.append('$select[]', path)
  return { target: `/materials?${parameters}` }
}

function openFeathers(body: unknown): unknown {
  return isJsonObject(body) && Array.isArray(body.data) ? body.data : body
}

/** json-server cannot choose fields. */
function askJsonServer({ query, projection }: Question): { target: string } | null {
  if (projection.fields !== undefined) return null
  const [[sortPath, direction] = ['_id', 1]] = Object.entries(projection.sort)
  const parameters = new URLSearchParams({ _sort: sortPath, _order: direction === 1 ? 'asc' : 'desc' })
  for (const [path, value] of Object.entries(query)) parameters.append(path, String(value))
  parameters.append('_limit', String(projection.limit))
  return { target: `/materials?${parameters}` }
}
