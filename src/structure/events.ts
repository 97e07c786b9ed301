import { defineEvents } from '../kernel/log.ts'

export const STRUCTURE_EVENTS = defineEvents({
  symmetryFailed: {
    name: 'symmetry.failed',
    level: 'warn',
    title:
      'The symmetry finder met a fault, or was ended; the structure is stored without its space group, and says so.',
    audit: false,
    fields: ['reason'],
  },
})
