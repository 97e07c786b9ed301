import type { JsonObject } from '../../kernel/json.ts'
import { MOST_ELEMENTS, phaseDiagram } from '../../records/calculations/phase-diagram.ts'
import type { DiagramTerms } from '../../records/diagrams/diagram-answer.ts'
import { findElement } from '../../structure/elements/element.ts'
import { API_PREFIX } from '../address.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import { dataTextResponse, emptyResponse, listTag, namesTag } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, nullable, object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import { invalidParameter, knownParameters, type Parameters } from '../request/parameters.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'

const NUMBER: JsonObject = { type: 'number' }
const COMPOSITION: JsonObject = { type: 'object', additionalProperties: NUMBER }

const ENTRY = object(
  {
    _id: TEXT,
    name: TEXT,
    formula: TEXT,
    composition: COMPOSITION,
    energy: { ...NUMBER, description: 'The total energy in eV, of the composition.' },
    correction: { ...NUMBER, description: 'In eV, of the composition; beside it, the group of the energy.' },
    group: TEXT,
    formationEnergy: { ...NUMBER, description: 'In eV/atom.' },
    energyAboveHull: { ...NUMBER, description: 'In eV/atom; exactly 0 on the hull.' },
    isStable: { type: 'boolean' },
    decomposition: listOf(object({ _id: TEXT, formula: TEXT, fraction: NUMBER })),
    propertyId: TEXT,
    jobId: nullable(TEXT),
  },
  ['correction', 'group'],
)

const DIAGRAM = object({
  elements: listOf(TEXT),
  group: { anyOf: [TEXT, listOf(TEXT)] },
  groups: {
    ...listOf(object({ group: TEXT, count: { type: 'integer' } })),
    description: 'All that there are, with how many of the materials have an energy of each.',
  },
  correction: nullable(TEXT),
  tolerance: NUMBER,
  references: listOf(object({ element: TEXT, _id: TEXT, energyPerAtom: NUMBER })),
  entries: listOf(ENTRY),
  facets: {
    ...nullable(listOf(listOf(TEXT))),
    description: 'Sets of entries that are in equilibrium with each other, by id; null where there are too many.',
  },
  leftOut: listOf(
    object({
      reason: { enum: ['noEnergy', 'otherGroup', 'disordered', 'notCorrected', 'sameId'] },
      count: { type: 'integer' },
      materials: listOf(object({ _id: TEXT, formula: TEXT, why: TEXT }, ['why'])),
    }),
  ),
  exact: { type: 'boolean', description: 'false where there are more materials with energies than were looked at.' },
})

/** The phase diagram of some elements, over the total energies of all materials that the session sees. */
export function phaseDiagramRoute({ records, edition }: HttpServices, caches: RequestCaches): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/phase-diagram`,
    access: 'session',
    operation: {
      id: 'makePhaseDiagram',
      tag: 'Materials',
      summary: 'Make the phase diagram of some elements',
      description:
        'Of the materials that you can see whose elements are among them, by the best total energy that each shows of one group. Formation energies need an energy of each element alone.',
      query: [
        { name: 'elements', description: `1 to ${MOST_ELEMENTS} symbols, joined by commas.`, schema: TEXT },
        {
          name: 'group',
          description:
            'The group of the energies, needed where there are several; empty for those of none. With a correction, several, joined by commas.',
          schema: TEXT,
        },
        {
          name: 'tolerance',
          description: 'Energy above the hull in eV/atom up to which an entry is called stable.',
          schema: { type: 'number', minimum: 0, maximum: 10, default: 0 },
        },
        {
          name: 'correction',
          description: 'mp2020: energies of GGA and GGA+U are corrected as the Materials Project does.',
          schema: { enum: ['mp2020'] },
        },
      ],
      headers: {
        'If-None-Match': 'The ETag of the diagram that you have; the answer is 304 when nothing has changed.',
      },
      success: { description: 'Entries, the most stable first; energies in eV.', schema: DIAGRAM },
      failures: [422],
    },
    handler: async (context) => {
      const terms = readTerms(context)
      readNoBody(context)
      const session = sessionOf(context)
      const { scope } = session
      const target = `${context.method} ${context.url}`
      const counter = await records.store.readChangeCounter(scope, context.arrivedAt)
      context.enter('recall')
      const cached = caches.responses.get(scope, target, counter)
      if (cached !== null) return cached
      const etag = listTag({ edition, scope, target, counter, strict: false })
      if (namesTag(context.headers['if-none-match'], etag)) return emptyResponse(304, { etag, vary: 'Accept-Encoding' })
      const text = await phaseDiagram({ deps: records, session }, terms, context.reading)
      return caches.responses.put(scope, target, counter, dataTextResponse(text, 200, { etag }))
    },
  }
}

function readTerms(context: RequestContext): DiagramTerms {
  const parameters = knownParameters(context, ['elements', 'group', 'tolerance', 'correction'])
  const correction = readCorrection(parameters)
  return {
    elements: readElements(parameters.get('elements') ?? ''),
    groups: readGroups(parameters, correction !== null),
    correction,
    tolerance: readTolerance(parameters.get('tolerance')),
  }
}

function readElements(text: string): readonly string[] {
  const elements = text.split(',').map((symbol) => symbol.trim())
  const wrong = elements.find((symbol) => findElement(symbol) === undefined)
  if (wrong === undefined && new Set(elements).size === elements.length && elements.length <= MOST_ELEMENTS) {
    return elements.sort()
  }
  throw invalidParameter('elements', text, `1 to ${MOST_ELEMENTS} symbols of elements, each once, as Li,Fe,O`)
}

function readGroups(parameters: Parameters, isCorrected: boolean): readonly string[] | null {
  const text = parameters.get('group')
  if (text === undefined) return null
  return isCorrected ? [...new Set(text.split(','))] : [text]
}

function readCorrection(parameters: Parameters): DiagramTerms['correction'] {
  const text = parameters.get('correction')
  if (text === undefined || text === 'mp2020') return text ?? null
  throw invalidParameter('correction', text, 'mp2020')
}

function readTolerance(text: string | undefined): number {
  if (text === undefined) return 0
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 10) return value
  throw invalidParameter('tolerance', text, 'an energy from 0 to 10 eV/atom')
}
