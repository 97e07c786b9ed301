import { defineEvents } from '../../kernel/log.ts'

export const CLI_EVENTS = defineEvents({
  serverStarted: {
    name: 'server.started',
    level: 'info',
    title: 'The server takes requests.',
    audit: false,
    fields: ['version'],
  },
  serverStopping: {
    name: 'server.stopping',
    level: 'info',
    title: 'The server was told to end, and finishes the requests under way.',
    audit: false,
    fields: ['reason'],
  },
  processFailed: {
    name: 'process.failed',
    level: 'error',
    title:
      'A process of the server met a fault outside of every request, and ends of it. What was acknowledged is on disk.',
    audit: false,
  },
  workerEnded: {
    name: 'worker.ended',
    level: 'warn',
    title: 'A worker process ended that nobody had told to, and another one takes its place.',
    audit: false,
    fields: ['reason'],
  },
})
