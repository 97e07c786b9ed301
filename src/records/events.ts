import { defineEvents } from '../kernel/log.ts'

/** What the room of records tells the log. */
export const RECORD_EVENTS = defineEvents({
  recordFailed: {
    name: 'record.failed',
    level: 'error',
    title: 'A fault of the program that one record of an import met: it was refused, and the others went on.',
    audit: false,
  },
  recordEnded: {
    name: 'record.ended',
    level: 'warn',
    title: 'Reading or checking what a client sent was ended, for the time or the memory that it took; it was refused.',
    audit: false,
    fields: ['reason'],
  },
})
