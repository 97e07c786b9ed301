import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listQuery } from '../../src/http/openapi/list-parameters.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { bitsApart } from '../support/bits-apart.ts'
import { triesOf } from '../support/study.ts'
import { LIST_VALUES, PROBES, type Probe } from './support/leak-probes.ts'
import { material } from './support/records.ts'
import { furnish, hide, type Known, lookAround, lookAtHidden, SECRET } from './support/secrets.ts'
import {
  ASKERS,
  type Asker,
  headerOf,
  type Received,
  type Sending,
  startTwin,
  type Twin,
  timeless,
  withoutNumbersOfAll,
} from './support/twin-servers.ts'

/** What is compared of an answer. */
const comparable = (received: Received) => withoutNumbersOfAll(timeless(received))

let plain: Twin
let hiding: Twin
let known: Known
/** What ada reads of hers before anybody has tried anything. */
let hers: readonly Received[]

/** The address of a private record of an asker. */
async function pathOfOwn(asker: Asker): Promise<string> {
  const query = encodeURIComponent(JSON.stringify({ 'owner.slug': asker, isPublic: false }))
  const { body } = await hiding.send(asker, { method: 'GET', path: `materials?query=${query}&limit=1` })
  return `materials/${JSON.parse(body).data[0]._id}`
}

/** The private records of others in an answer. */
function othersIn({ body }: Received, asker: Asker): readonly unknown[] {
  const told: readonly JsonObject[] = [JSON.parse(body).data].flat()
  return told.filter(({ isPublic, owner }) => isPublic === false && (owner as JsonObject).slug !== asker)
}

const HERS = ['ada-plain', 'ada-plain/history', 'removed', 'ada-twin'].map((path) => `materials/${path}`)
const readHers = () => Promise.all(HERS.map((path) => hiding.send('ada', { method: 'GET', path })))

/** Writes, changes and removes records in private that nobody else sees. */
async function writeMore(twin: Twin, name: string, count = 5): Promise<void> {
  for (const as of ['ada', 'lab'] as const) {
    for (let i = 0; i < count; i += 1) {
      const made = await twin.send(as, {
        method: 'POST',
        path: 'materials',
        body: material(`${name} ${i}`, { rank: i }),
      })
      const path = `materials/${JSON.parse(made.body).data._id}`
      expect((await twin.send(as, { method: 'PATCH', path, body: { rank: -i } })).status).toBe(200)
      if (i % 2 === 1) expect((await twin.send(as, { method: 'DELETE', path })).status).toBe(200)
    }
  }
}

const isReading = ({ ask }: Probe) => ['GET', 'HEAD'].includes(ask(known).method)

/** When what is private was written, and what the records are in: the tails, segments, or both. */
const SERVERS = [
  ['before', 'segments and tails', { segmentSizes: { tailRows: 3, mergedTogether: 2, takenOver: 8 } }],
  ['after', 'tails', {}],
  ['after', 'segments of one record', { segmentSizes: { tailRows: 1, mergedTogether: 2, takenOver: 8 } }],
] as const

describe.each(SERVERS.slice(0, triesOf('homes')))(
  'a server with private records written %s all others, in %s, answers as one without:',
  (when, kept, options) => {
    beforeAll(async () => {
      ;[plain, hiding] = await Promise.all([startTwin(options), startTwin(options)])
      if (when === 'before') await hide(hiding)
      await furnish(plain, 'nothing')
      await furnish(hiding, SECRET)
      if (when === 'after') await hide(hiding)
      for (const twin of [plain, hiding]) await lookAround(twin)
      known = await lookAtHidden(hiding)
      for (const twin of [plain, hiding]) twin.beginIds('asked')
      hers = await readHers()
    })
    afterAll(() => Promise.all([plain, hiding].map((twin) => twin?.server.close())))

    test.each(PROBES.map((probe): [string, Probe] => [probe.name, probe]))('%s', async (_name, probe) => {
      const sending = probe.ask(known)
      // What she is answered may be remembered, and is for nobody else.
      if (isReading(probe)) for (const twin of [plain, hiding]) await twin.send('ada', sending)
      for (const asker of ASKERS) {
        const [without, having] = [await plain.send(asker, sending), await hiding.send(asker, sending)]
        expect([asker, comparable(having)]).toEqual([asker, comparable(without)])
      }
    })

    test('she has hers as they were, whoever has used their ids, and gets back what she removed', async () => {
      expect((await readHers()).map(comparable)).toEqual(hers.map(comparable))
      const restored = await hiding.send('ada', { method: 'POST', path: 'materials/ada-gone/restore' })
      expect([restored.status, JSON.parse(restored.body).data.project]).toEqual([200, SECRET])
    })

    test('what is remembered for her is for nobody else, also when as much has changed for both', async () => {
      const { accountIds, services } = hiding.server
      const counterOf = (name: 'ada' | 'bob') =>
        services.records.store.readChangeCounter({ kind: 'account', accountId: accountIds[name] })
      const own = { ada: 'materials/ada-long', bob: await pathOfOwn('bob') }
      for (let count = 0; ; count += 1) {
        const [hers, his] = [await counterOf('ada'), await counterOf('bob')]
        if (hers === his) break
        const as = hers < his ? 'ada' : 'bob'
        const sending = { method: 'PATCH', path: own[as], body: { description: `change ${count}` } }
        expect((await hiding.send(as, sending)).status).toBe(200)
      }
      for (const path of [
        'materials',
        'materials?count=true',
        'materials?sort=rank',
        'methods',
        'materials/ada-plain',
      ]) {
        for (let time = 0; time < 3; time += 1) {
          expect((await hiding.send('ada', { method: 'GET', path })).body).toContain(SECRET)
          expect(othersIn(await hiding.send('bob', { method: 'GET', path }), 'bob')).toEqual([])
        }
      }
    })

    test('what others do in private changes no tag, no cursor and no count of what is asked again', async () => {
      const asked: readonly Sending[] = [
        { method: 'GET', path: await pathOfOwn('bob') },
        ...['', 'rank', '-rank', '-note', 'name'].flatMap((sort): Sending[] => [
          { method: 'GET', path: `materials?limit=3${sort === '' ? '' : `&sort=${sort}`}` },
          { method: 'POST', path: 'materials/search', body: { query: {}, projection: { limit: 3 }, explain: true } },
        ]),
      ]
      const askAll = async () => {
        const answers: unknown[] = []
        for (const asker of ASKERS) for (const one of asked) answers.push(timeless(await hiding.send(asker, one)))
        return answers
      }
      await askAll()
      const before = await askAll()
      await writeMore(hiding, 'between')
      expect(await askAll()).toEqual(before)
    })

    test('no two tags or places in lists tell how many records others have made in between', async () => {
      const blocks: string[] = []
      for (const [round, others] of [0, 0, 1, 7].entries()) {
        await writeMore(hiding, `before ${round}`, others)
        const made = await hiding.send('bob', { method: 'POST', path: 'materials', body: material('mine', {}, 7.3) })
        blocks.push(/^"([\w-]{22})-1"$/.exec(headerOf(made, 'etag') ?? '')?.[1] ?? '')
        const page = await hiding.send('bob', { method: 'GET', path: `materials?limit=${1 + round}` })
        const cursor = Buffer.from(headerOf(page, 'x-next-cursor') ?? '', 'base64url').toString()
        // The sort, what the last record has of it, and the place: a block for each home.
        const place = /^\["",\[\],"([\w-]{43})"\]$/.exec(cursor)?.[1] ?? ''
        const bytes = Buffer.from(place, 'base64url')
        for (const at of [0, 16]) blocks.push(bytes.subarray(at, at + 16).toString('base64url'))
      }
      for (const block of blocks) expect(Buffer.from(block, 'base64url')).toHaveLength(16)
      // A home in which nothing came since has the same number, and the same block.
      const distinct = [...new Set(blocks)]
      expect(distinct.length).toBeGreaterThan(8)
      for (const [at, one] of distinct.entries())
        for (const other of distinct.slice(at + 1)) expect(bitsApart(one, other)).toBeGreaterThan(24)
    })

    test(`the records are in ${kept}`, async () => {
      const query = { method: 'POST', path: 'materials/search', body: { query: { rank: 1 }, explain: true } }
      const { segments, tail } = JSON.parse((await hiding.send('bob', query)).body).data
      expect([segments > 0, tail > 0]).toEqual([kept !== 'tails', kept !== 'segments of one record'])
    })

    test('the tries are of use: where they read, most answers to ada are others', async () => {
      const reading = PROBES.filter(isReading)
      let ofUse = 0
      for (const probe of reading) {
        const [without, having] = [
          await plain.send('ada', probe.ask(known)),
          await hiding.send('ada', probe.ask(known)),
        ]
        if (comparable(having).body !== comparable(without).body) ofUse += 1
      }
      expect(ofUse).toBeGreaterThan(reading.length / 2)
    })

    test('an archive is of the time at which the server says that it was written', async () => {
      const { body } = await plain.send('bob', { method: 'GET', path: 'materials/export?format=poscar' })
      // The upper byte of the date of an entry (PKWARE APPNOTE, 4.4.6): the years since 1980, and a bit of the month.
      expect([body.slice(0, 2), body.charCodeAt(13) >> 1]).toEqual(['PK', 2023 - 1980])
    })

    test('every parameter of a list is tried', () => {
      expect(Object.keys(LIST_VALUES)).toEqual(expect.arrayContaining(listQuery(materialKind).map(({ name }) => name)))
    })
  },
)
