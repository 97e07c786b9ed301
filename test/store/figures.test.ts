import { expect, it } from 'vitest'
import { metricOf } from '../../src/http/metrics-page.ts'
import { STORE_METRICS } from '../../src/store/metrics.ts'

it('what processes tell of the data that they share is not added up', () => {
  const { segments, tail, databaseBytes, logBytes, freeBytes, writable } = STORE_METRICS
  const shared = [segments, tail, databaseBytes, logBytes, freeBytes, writable]
  expect(shared.map((spec) => [spec.name, metricOf(spec, []).aggregator])).toEqual(
    shared.map(({ name }) => [name, 'first']),
  )
})
