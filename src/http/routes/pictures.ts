import { materialKind } from '../../records/kinds/material/material-kind.ts'
import type { PictureTerms } from '../../records/kinds/material/picture.ts'
import { getRecord } from '../../records/use-cases/read-records.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { API_PREFIX } from '../address.ts'
import { collectionOf, sessionOf } from '../exchange/context.ts'
import { contentResponse, emptyResponse, etagOf, namesTag } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { TEXT } from '../openapi/schemas.ts'
import { invalidParameter, knownParameters, type Parameters, pathId, readWholeNumber } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { structureFileOf } from './crystals.ts'

const SIZES = { least: 16, most: 1024, usual: 256 } as const
const THEMES = ['light', 'dark'] as const

/** Another one whenever a crystal is drawn in another way: pictures that were kept are asked for again then. */
const DRAWING = 2

/** The crystal of a material as a picture, as the page draws it. */
export function pictureRoute({ records }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/picture.svg`,
    access: 'session',
    operation: {
      id: 'getMaterialPicture',
      tag: 'Materials',
      summary: 'Draw the crystal of a material',
      description:
        'Square, on nothing. Of more than 400 atoms it has no bonds, which its title says; more than 2,000 are refused.',
      query: [
        {
          name: 'size',
          description: `Pixels of a side, ${SIZES.usual} where nothing is said.`,
          schema: { type: 'integer', minimum: SIZES.least, maximum: SIZES.most },
        },
        {
          name: 'theme',
          description: 'What it is put on: light, where nothing is said, or dark.',
          schema: { ...TEXT, enum: [...THEMES] },
        },
      ],
      headers: { 'If-None-Match': 'The ETag of the picture that you have; the answer is 304 when it is the same.' },
      success: { description: 'The picture, without an envelope.', schema: TEXT, types: ['image/svg+xml'] },
      failures: [404, 422],
    },
    handler: async (context) => {
      const terms = readTerms(knownParameters(context, ['size', 'theme']))
      const record = await getRecord(collectionOf(context, records, materialKind), pathId(context))
      const etag = pictureTag(record, terms)
      if (namesTag(context.headers['if-none-match'], etag)) return emptyResponse(304, { etag })
      const user = sessionOf(context).user.id
      const file = await structureFileOf(records.work, user, record)
      const picture = await records.work.run('picture', user, { file, terms })
      // Opened by itself it is a document, in which nothing may run either.
      const headers = { etag, 'content-security-policy': "default-src 'none'" }
      return contentResponse('image/svg+xml', picture, headers)
    },
  }
}

function readTerms(parameters: Parameters): PictureTerms {
  const size = readWholeNumber(parameters, 'size', SIZES.least, SIZES.most) ?? SIZES.usual
  const given = parameters.get('theme') ?? 'light'
  const theme = THEMES.find((one) => one === given)
  if (theme === undefined) throw invalidParameter('theme', given, 'light or dark')
  return { size, theme }
}

function pictureTag(record: StoredRecord, { size, theme }: PictureTerms): string {
  return `${etagOf(record).slice(0, -1)}-${DRAWING}-${size}-${theme}"`
}
