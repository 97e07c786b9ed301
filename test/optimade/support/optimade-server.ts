import { expect } from 'vitest'
import type { HttpSettings } from '../../../src/http/settings.ts'
import { VERSION } from '../../../src/kernel/project-files.ts'
import { loadSamples } from '../../../src/records/samples/load-samples.ts'
import { type LiveServer, startServer } from '../../http/support/live-server.ts'
import { material } from '../../http/support/records.ts'

/** What the server says, whatever it is. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the server says, whatever it is.
  readonly body: any
}

/** A server with the samples and a few odd materials, asked by a guest. */
export interface OptimadeServer {
  readonly server: LiveServer
  /** The ids of the odd materials by name. */
  readonly ids: Readonly<Record<string, string>>
  /** Sends a GET below `/optimade` and checks what holds for every answer. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  /** Sends a GET of structures with a filter. */
  filter(text: string, more?: string): Promise<Reply>
  close(): Promise<void>
}

/** Public unless it says otherwise. */
const ODD: Readonly<Record<string, object>> = {
  'molecule (boxed)': { isNonPeriodic: true, isPublic: true },
  'a "quoted" back\\slash': { isPublic: true, tags: [] },
  'ends with ^$.|?*+()[]{}': { isPublic: true, tags: ['odd'] },
  'Fe² — größer': { isPublic: true, tags: ['odd', 'even', 'neither', 'nor', 'both'] },
  labelled: {
    isPublic: true,
    basis: {
      units: 'cartesian',
      elements: [
        { id: 0, value: 'C' },
        { id: 1, value: 'Co' },
        { id: 2, value: 'C' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [1.9, 0, 0] },
        { id: 2, value: [0, 0, 1.9] },
      ],
      labels: [{ id: 2, value: 'o' }],
    },
  },
  private: { isPublic: false },
}

export async function startOptimade(settings: Partial<HttpSettings> = {}): Promise<OptimadeServer> {
  const server = await startServer({ symmetry: true, http: settings })
  await loadSamples(server.services.records)
  const ids: Record<string, string> = {}
  for (const [index, [name, fields]] of Object.entries(ODD).entries()) {
    const { body } = await server.call('POST', 'materials', { body: material(name, fields, 4 + index / 10) })
    ids[name] = body.data._id
  }
  const set = await server.call('PUT', 'materials/create-set', { body: { name: 'a set', isPublic: true } })
  ids.set = set.body.data._id
  const get = (path: string, headers: Record<string, string> = {}) =>
    getDocument(`${server.origin}/optimade${path}`, headers)
  return {
    server,
    ids,
    get,
    filter: (text, more = 'page_limit=500') => get(`/v1/structures?filter=${encodeURIComponent(text)}&${more}`),
    close: () => server.close(),
  }
}

async function getDocument(url: string, headers: Record<string, string>): Promise<Reply> {
  const response = await fetch(url, { headers })
  const body = JSON.parse(await response.text())
  const reply = { status: response.status, headers: response.headers, body }
  assertDocument(reply)
  return reply
}

/** What the specification wants of every JSON document. */
function assertDocument({ status, headers, body }: Reply): void {
  expect(headers.get('content-type')).toBe('application/vnd.api+json')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body.meta).toMatchObject({
    query: { representation: expect.stringMatching(/^(?:[/?].*)?$/) },
    api_version: expect.stringMatching(/^1\.[123]\.0$/),
    schema: expect.stringMatching(/^https:\/\/schemas\.optimade\.org\/openapi\/v1\.[123]\/optimade\.json$/),
    more_data_available: expect.any(Boolean),
    implementation: { name: 'Quarry', version: VERSION },
    provider: { name: expect.any(String), description: expect.any(String), prefix: 'quarry' },
  })
  for (const warning of body.meta.warnings ?? []) {
    expect(warning).toEqual({ type: 'warning', detail: expect.stringMatching(/\S/) })
  }
  if (status === 200) {
    expect(body).toHaveProperty('data')
    expect(body).not.toHaveProperty('errors')
    expect(body.meta.data_returned).toEqual(expect.any(Number))
    expect(body.meta.time_stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return
  }
  expect(body).not.toHaveProperty('data')
  expect(body.errors).toHaveLength(1)
  expect(body.errors[0]).toMatchObject({
    status: String(status),
    code: expect.stringMatching(new RegExp(`^_quarry_${status}\\d\\d$`)),
    title: expect.stringMatching(/\S/),
    detail: expect.stringMatching(/\S/),
  })
}
