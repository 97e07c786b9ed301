import { describe, expect, test } from 'vitest'
import { defineEvents } from '../../src/kernel/log.ts'
import { logToLines } from '../support/log-lines.ts'

const EVENTS = defineEvents({
  loud: { name: 'tank.burst', level: 'error', title: 'A tank has burst.', audit: false, fields: ['count', 'user'] },
  asked: {
    name: 'tank.seen',
    level: 'info',
    title: 'A tank was looked at.',
    audit: false,
    isAskedFor: true,
    fields: ['count', 'user'],
  },
  quiet: { name: 'tank.filled', level: 'debug', title: 'A tank was filled.', audit: false },
})

describe('the log', () => {
  test('writes an event as one JSON object with its name, level, time and fields', () => {
    const { log, lines } = logToLines()
    log.tell(EVENTS.loud, { count: 3, user: null })
    expect(lines).toEqual([
      {
        level: 'error',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        pid: process.pid,
        event: 'tank.burst',
        count: 3,
        user: null,
        msg: 'A tank has burst.',
      },
    ])
  })

  test('writes the name, message and stack of a cause', () => {
    const { log, lines } = logToLines()
    log.tell(EVENTS.quiet, {}, new TypeError('no such pump'))
    expect(lines[0]).toMatchObject({
      err: { type: 'TypeError', message: 'no such pump', stack: expect.stringContaining('log.test.ts') },
    })
  })

  test.each([
    ['silent', []],
    ['error', ['tank.burst']],
    ['debug', ['tank.burst', 'tank.filled']],
  ] as const)('at %s writes %j', (level, names) => {
    const { log, lines } = logToLines(level)
    log.tell(EVENTS.loud, { count: 1, user: 'ada' })
    log.tell(EVENTS.quiet, {})
    expect(lines.map(({ event }) => event)).toEqual(names)
  })

  test('writes what a setting has asked for at any level, and has no end of it', () => {
    const { log, lines } = logToLines('silent')
    for (let time = 0; time < 100; time++) log.tell(EVENTS.asked, { count: time, user: null })
    expect(lines).toHaveLength(100)
    expect(lines[99]).toMatchObject({ event: 'tank.seen', count: 99 })
  })

  test('writes one event over and over no more than a minute’s lines at once, then one a second, and says how many it left out', () => {
    let now = 1_000_000
    const { log, lines } = logToLines('debug', () => now)
    const burst = (times: number) => {
      for (let time = 0; time < times; time++) log.tell(EVENTS.loud, { count: time, user: null })
    }
    burst(1000)
    log.tell(EVENTS.quiet, {})
    expect(lines).toHaveLength(61)
    expect(lines[60]).toMatchObject({ event: 'tank.filled' })
    expect(log.counts.get('tank.burst')).toBe(1000)
    now += 1000
    burst(5)
    expect(lines.slice(61)).toMatchObject([{ event: 'tank.burst', count: 0, leftOut: 940 }])
    now += 60_000
    burst(100)
    expect(lines).toHaveLength(62 + 60)
    expect(lines[62]).toMatchObject({ leftOut: 4 })
    expect(lines[63]).not.toHaveProperty('leftOut')
    // A clock that is put back does not silence the log until it is where it was.
    now -= 3_600_000
    burst(1)
    now += 2000
    burst(1)
    expect(lines).toHaveLength(62 + 60 + 1)
  })

  test('counts what it does not write', () => {
    const { log } = logToLines('silent')
    log.tell(EVENTS.quiet, {})
    log.tell(EVENTS.quiet, {})
    expect([...log.counts]).toEqual([['tank.filled', 2]])
  })
})
