import { expect, it } from 'vitest'
import { metricOf } from '../../src/http/metrics.ts'
import { STORE_FIGURES } from '../../src/store/figures.ts'

it('what processes tell of the data that they share is not added up', () => {
  const { segments, tail, databaseBytes, logBytes, freeBytes, writable } = STORE_FIGURES
  const shared = [segments, tail, databaseBytes, logBytes, freeBytes, writable]
  expect(shared.map((spec) => [spec.name, metricOf(spec, []).aggregator])).toEqual(
    shared.map(({ name }) => [name, 'first']),
  )
})
