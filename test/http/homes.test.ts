import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listQuery } from '../../src/http/openapi/list-parameters.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { LIST_VALUES, PROBES, type Probe } from './support/leak-probes.ts'
import { furnish, hide, type Known, lookAtHidden, SECRET } from './support/secrets.ts'
import {
  ASKERS,
  type Asker,
  type Received,
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

const isReading = ({ ask }: Probe) => ['GET', 'HEAD'].includes(ask(known).method)

describe.each(['after', 'before'])(
  'a server with private records written %s all others answers as one without:',
  (when) => {
    beforeAll(async () => {
      ;[plain, hiding] = await Promise.all([startTwin(), startTwin()])
      if (when === 'before') await hide(hiding)
      await furnish(plain, 'nothing')
      await furnish(hiding, SECRET)
      if (when === 'after') await hide(hiding)
      known = await lookAtHidden(hiding)
      for (const twin of [plain, hiding]) twin.beginIds('asked')
      hers = await readHers()
    })
    afterAll(() => Promise.all([plain, hiding].map((twin) => twin?.server.close())))

    test.each(PROBES.map((probe): [string, Probe] => [probe.name, probe]))('%s', async (_name, probe) => {
      const sending = probe.ask(known)
      // What she is answered may be remembered, and is for nobody else.
      if (isReading(probe)) await hiding.send('ada', sending)
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
        Number(services.records.store.changeCounter({ kind: 'account', accountId: accountIds[name] }))
      const own = { ada: 'materials/ada-long', bob: await pathOfOwn('bob') }
      for (let count = 0; counterOf('ada') !== counterOf('bob'); count += 1) {
        const as = counterOf('ada') < counterOf('bob') ? 'ada' : 'bob'
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
