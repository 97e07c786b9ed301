import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { withDensity } from '../../../web/crystal/png-density.ts'

it('a picture says of how many pixels to the meter it is, with a sum that holds', () => {
  const png = new Uint8Array(60).map((_, at) => at)
  const whole = withDensity(png, 300)
  expect(whole.length).toBe(60 + 21)
  expect([...whole.subarray(0, 33), ...whole.subarray(54)]).toEqual([...png])
  const view = new DataView(whole.buffer, 33)
  expect([view.getUint32(0), view.getUint32(8), view.getUint32(12), view.getUint8(16)]).toEqual([9, 11811, 11811, 1])
  const name = new TextDecoder().decode(whole.subarray(37, 41))
  expect(name).toBe('pHYs')
  expect(view.getUint32(17)).toBe(crc32(whole.subarray(37, 50)))
})
