import { defineEvents } from '../kernel/log.ts'

export const HTTP_EVENTS = defineEvents({
  requestAnswered: {
    name: 'request.answered',
    level: 'info',
    title:
      'A request was answered; told when the setting `accessLog` is on. `status` is 499 when the client has gone before the end, and that of the fault when the server broke off what it had begun. `bytes` are of the body; of a stream, of its head as well.',
    audit: false,
    isAskedFor: true,
    fields: ['request', 'method', 'route', 'status', 'milliseconds', 'bytes', 'user', 'account', 'address'],
  },
  requestFailed: {
    name: 'request.failed',
    level: 'error',
    title: 'A request met a fault of the program and was answered with a status of 500 or above.',
    audit: false,
    fields: ['request', 'code', 'method', 'route', 'reason'],
  },
  requestNotServed: {
    name: 'request.not-served',
    level: 'warn',
    title:
      'A request was answered with 503 or 507: the server was busy, its storage could not be used, or its disk is full.',
    audit: false,
    fields: ['request', 'code', 'method', 'route', 'reason'],
  },
  requestNotSupported: {
    name: 'request.not-supported',
    level: 'info',
    title: 'A request asked for something that the server does not do, and was answered with 501 or 553.',
    audit: false,
    fields: ['request', 'code', 'method', 'route', 'reason'],
  },
  answerBrokenOff: {
    name: 'answer.broken-off',
    level: 'error',
    title:
      'An export, an import or another answer that is sent as it is made met a fault after its beginning: the connection was broken off, or the last line says so.',
    audit: false,
    fields: ['request', 'code', 'method', 'route', 'reason'],
  },
  notWarmedUp: {
    name: 'server.not-warmed-up',
    level: 'warn',
    title:
      'What is done at the start, so that first requests need not wait for it, has failed: they take longer, or meet the same failure.',
    audit: false,
  },
  turnTooLong: {
    name: 'turn.too-long',
    level: 'warn',
    title:
      'A turn of the event loop took more than 50 ms of processor time, in which nobody else was answered. No request may do that: it is a fault of the program, or the machine is much slower than it was made for.',
    audit: false,
    fields: ['milliseconds'],
  },
})
