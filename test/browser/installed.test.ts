import { describe, expect, it } from 'vitest'
import { missingChromium } from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null && process.env.CI === undefined)(`a browser (skipped: ${missing})`, () => {
  it('is there to test with', () => {
    expect(missing).toBeNull()
  })
})
