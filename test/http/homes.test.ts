import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listQuery } from '../../src/http/openapi/list-parameters.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { LIST_VALUES, PROBES, type Probe } from './support/leak-probes.ts'
import { furnish, hide, type Known, lookAtHidden, SECRET } from './support/secrets.ts'
import { ASKERS, type Received, startTwin, type Twin, timeless, withoutNumbersOfAll } from './support/twin-servers.ts'

/** What is compared of an answer. */
const comparable = (received: Received) => withoutNumbersOfAll(timeless(received))

let plain: Twin
let hiding: Twin
let known: Known

const isReading = ({ ask }: Probe) => ['GET', 'HEAD'].includes(ask(known).method)

beforeAll(async () => {
  ;[plain, hiding] = await Promise.all([startTwin(), startTwin()])
  await furnish(plain, 'nothing')
  await furnish(hiding, SECRET)
  await hide(hiding)
  known = await lookAtHidden(hiding)
  for (const twin of [plain, hiding]) twin.beginIds('asked')
})
afterAll(() => Promise.all([plain, hiding].map((twin) => twin?.server.close())))

describe('a server that hides private records of others answers as one that has none:', () => {
  test.each(PROBES.map((probe): [string, Probe] => [probe.name, probe]))('%s', async (_name, probe) => {
    const sending = probe.ask(known)
    // What she is answered may be remembered, and is for nobody else.
    if (isReading(probe)) await hiding.send('ada', sending)
    for (const asker of ASKERS) {
      const [without, having] = [await plain.send(asker, sending), await hiding.send(asker, sending)]
      expect([asker, comparable(having)]).toEqual([asker, comparable(without)])
    }
  })

  test('the tries are of use: where they read, most answers to ada are others', async () => {
    const reading = PROBES.filter(isReading)
    let ofUse = 0
    for (const probe of reading) {
      const [without, having] = [await plain.send('ada', probe.ask(known)), await hiding.send('ada', probe.ask(known))]
      if (comparable(having).body !== comparable(without).body) ofUse += 1
    }
    expect(ofUse).toBeGreaterThan(reading.length / 2)
  })

  test('every parameter of a list is tried', () => {
    expect(Object.keys(LIST_VALUES)).toEqual(expect.arrayContaining(listQuery(materialKind).map(({ name }) => name)))
  })
})
