import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * A test waits for what has to happen, not for a time by which it will have: for an event, for a promise that it holds, or with
 * `expect.poll`, which has a bound and is the one way to poll. A client that is slow is driven by the idleness of its own connection
 * (`socket.setTimeout`), and a timer of the code under test by naming it to `vi.useFakeTimers`, whose time the test moves on.
 */
const WAITS: Readonly<Record<string, RegExp>> = {
  'a timer': /(?<![.\w'])set(?:Timeout|Interval)\b/,
  'a timer of a global object': /\b(?:globalThis|global|window)\.set(?:Timeout|Interval)\b/,
  'a sleeping thread': /\bAtomics\.wait\b|\bsleep\s*\(/,
  'a scheduler': /\bscheduler\b/,
  'a second way to poll': /\bvi\.wait(?:For|Until)\b/,
  'a condition that is waited for in vain': /\.poll\b[^\n]*(?:\n[ ]+\.[^\n]*){0,3}?\s*\.catch\(/,
}

const ROOT = new URL('../', import.meta.url)
const OWN = 'architecture/waits.test.ts'
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm

function waitsIn(code: string): readonly string[] {
  const text = code.replace(COMMENT, '')
  return Object.entries(WAITS).flatMap(([what, form]) => (form.test(text) ? [what] : []))
}

describe('no test waits for a time', () => {
  it('in any file', () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.[cm]?[jt]s$/.test(path) && path !== OWN)
    expect(files.length).toBeGreaterThan(200)
    const found = files.flatMap((path) =>
      waitsIn(readFileSync(new URL(path, ROOT), 'utf8')).map((w) => `${path}: ${w}`),
    )
    expect(found).toEqual([])
  })

  it.each([
    ['await new Promise((resolve) => setTimeout(resolve, 50))', 'a timer'],
    ["import { setTimeout as wait } from 'node:timers/promises'", 'a timer'],
    ['const timer = setInterval(look, 5)', 'a timer'],
    ['await new Promise((done) => globalThis.setTimeout(done, 1))', 'a timer of a global object'],
    ['Atomics.wait(cell, 0, 0, 100)', 'a sleeping thread'],
    ['await sleep(10)', 'a sleeping thread'],
    ['await scheduler.wait(10)', 'a scheduler'],
    ['await vi.waitFor(() => expect(seen).toBe(1))', 'a second way to poll'],
    [
      'await expect\n  .poll(() => n, { timeout: 9 })\n  .toBe(1)\n  .catch(() => {})',
      'a condition that is waited for in vain',
    ],
  ])('written as %s', (code, what) => {
    expect(waitsIn(code)).toEqual([what])
  })

  it.each([
    'await once(socket, "close")',
    'await expect.poll(() => seen).toBe(1)',
    'socket.setTimeout(700, advance)',
    'await new Promise((resolve) => setImmediate(resolve))',
    '// not setTimeout(resolve, 50)',
    "vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })",
  ])('but for an event: %s', (code) => {
    expect(waitsIn(code)).toEqual([])
  })
})
