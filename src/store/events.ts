import { defineEvents } from '../kernel/log.ts'

/** Events of the stores: failed work, slow queries, trouble with the storage. */
export const STORE_EVENTS = defineEvents({
  touchFailed: {
    name: 'token.touch-failed',
    level: 'warn',
    title: 'That a token was used could not be written down; its next use tries again.',
    audit: false,
    fields: ['tokenId'],
  },
  tendingFailed: {
    name: 'store.tending-failed',
    level: 'warn',
    title: 'Segments could not be merged or made; queries are answered as well without, and it comes up again.',
    audit: false,
  },
  filesCollected: {
    name: 'files.collected',
    level: 'info',
    title: 'Contents of files that no record, earlier version or removed record had named for a day were removed.',
    audit: false,
    fields: ['count', 'bytes'],
  },
  filesNotCollected: {
    name: 'files.not-collected',
    level: 'warn',
    title:
      'Looking for contents of files that nothing names met a failure; it is tried again later, and nothing that is named was removed.',
    audit: false,
  },
  databaseWeak: {
    name: 'store.database-weak',
    level: 'warn',
    title:
      'The PostgreSQL server, or the way to it, gives less than what a write is promised; `reason` says what and why it matters.',
    audit: false,
    fields: ['reason'],
  },
  querySlow: {
    name: 'query.slow',
    level: 'warn',
    title:
      'A page or a count that a request waited for took longer than `slowQueryMs`, or one was given up after that; `shape` has its fields and operators, `outcome` is `given up` when its time budget, or the time that it may wait, ended it.',
    audit: false,
    fields: ['request', 'task', 'collection', 'milliseconds', 'shape', 'outcome', 'columnsLoaded', 'byDocument'],
  },
  threadLost: {
    name: 'thread.lost',
    level: 'error',
    title: 'A thread of the store ended of a fault; what it was doing was refused, and another one takes its place.',
    audit: false,
    fields: ['task'],
  },
  spaceLow: {
    name: 'store.space-low',
    level: 'error',
    title:
      'The disk of the data has less free space than the setting `freeSpaceMb` keeps: what needs room is refused with 507 until there is more.',
    audit: false,
    fields: ['bytes'],
  },
  spaceBack: {
    name: 'store.space-back',
    level: 'warn',
    title: 'The disk of the data has room again; writes are taken.',
    audit: false,
    fields: ['bytes'],
  },
  writeFailed: {
    name: 'store.write-failed',
    level: 'error',
    title: 'The storage did not take a write; told of the first of several in a row.',
    audit: false,
    fields: ['reason'],
  },
  damageMet: {
    name: 'store.damage-met',
    level: 'error',
    title:
      'Something in the database is not what was written, and is not served. Where it is the file and not a single row, nothing is written from now on, and `/readyz` answers 503.',
    audit: false,
    fields: ['reason'],
  },
  columnsForgotten: {
    name: 'store.columns-forgotten',
    level: 'warn',
    title:
      'The columns that were asked for before the server ended could not be noted, or not be read at its start: first questions wait for them, and nothing else.',
    audit: false,
    fields: [],
  },
  logNotSettled: {
    name: 'store.log-not-settled',
    level: 'warn',
    title:
      'At the end, the write-ahead log could not be moved into the database file: nothing is lost, but the file must not be copied without its log.',
    audit: false,
    fields: ['reason'],
  },
})
