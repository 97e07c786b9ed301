import { defineEvents } from '../kernel/log.ts'

/** Log events of records. */
export const RECORD_EVENTS = defineEvents({
  recordFailed: {
    name: 'record.failed',
    level: 'error',
    title: 'A fault of the program that one record of an import met: it was refused, and the others went on.',
    audit: false,
  },
  afterwardsFailed: {
    name: 'record.afterwards-failed',
    level: 'error',
    title: 'A step after a write met a failure; the write is on disk, and its writer was told so.',
    audit: false,
  },
  notRecomputed: {
    name: 'record.not-recomputed',
    level: 'warn',
    title: 'The computed fields of a stored record could not be computed anew; it stays as it is.',
    audit: false,
    fields: ['collection', 'record'],
  },
  symmetryFilledIn: {
    name: 'symmetry.filled-in',
    level: 'info',
    title: 'Materials that had been stored without their symmetry were given it in the background.',
    audit: false,
    fields: ['count'],
  },
  symmetryNotFilledIn: {
    name: 'symmetry.not-filled-in',
    level: 'warn',
    title: 'Looking for the symmetry of stored materials in the background met a failure; it is tried again later.',
    audit: false,
  },
  hullsSettled: {
    name: 'hulls.settled',
    level: 'info',
    title:
      'Energies above the hull that did not follow from the energies of their account any more were computed anew.',
    audit: false,
    fields: ['count'],
  },
  hullsNotSettled: {
    name: 'hulls.not-settled',
    level: 'warn',
    title:
      'Computing the energies above the hull of an account met a failure; they are as they were until the next look.',
    audit: false,
    fields: ['account'],
  },
  bulkChangeEnded: {
    name: 'bulk-change.ended',
    level: 'info',
    title: 'A change of many records that is carried out in portions has ended; its entry tells how.',
    audit: false,
    fields: ['record'],
  },
  bulkChangeStopped: {
    name: 'bulk-change.stopped',
    level: 'warn',
    title: 'A portion of a change of many records met a failure; it is tried again.',
    audit: false,
    fields: ['record'],
  },
  recordEnded: {
    name: 'record.ended',
    level: 'warn',
    title: 'Reading or checking what a client sent was ended, for the time or the memory that it took; it was refused.',
    audit: false,
    fields: ['reason'],
  },
})
