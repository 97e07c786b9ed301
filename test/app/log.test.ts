import { describe, expect, test } from 'vitest'
import { frameworkLog } from '../../src/http/plugins/framework-log.ts'
import { defineEvents } from '../../src/kernel/log.ts'
import { logToLines } from '../support/log-lines.ts'

const EVENTS = defineEvents({
  loud: { name: 'tank.burst', level: 'error', title: 'A tank has burst.', audit: false, fields: ['count', 'user'] },
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

  test('counts what it does not write', () => {
    const { log } = logToLines('silent')
    log.tell(EVENTS.quiet, {})
    log.tell(EVENTS.quiet, {})
    expect([...log.counts]).toEqual([['tank.filled', 2]])
  })
})

describe('what the web framework says', () => {
  test('becomes an event with its words and its error, without the request that it handed over', () => {
    const { log, lines } = logToLines()
    const request = { headers: { 'x-auth-token': 'a secret' } }
    frameworkLog(log).warn({ req: request, err: new Error('it broke off') }, 'response terminated')
    frameworkLog(log).error(new Error('worse'), 'and more')
    expect(lines.map(({ event, reason, err }) => [event, reason, (err as Error).message])).toEqual([
      ['framework.noted', 'response terminated', 'it broke off'],
      ['framework.failed', 'and more', 'worse'],
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })
})
