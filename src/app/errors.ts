import { defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue for starting and composing; the command line shows them, HTTP never does. */
export const APP_ERRORS = defineErrors({
  invalidSetting: { code: 40080, title: 'A setting has a value that it cannot have, or there is no such setting' },
  unreadableConfig: { code: 40081, title: 'The configuration file is missing or is not a JSON object' },
  invalidPlace: { code: 40086, title: 'A place that data are moved from or to is none, or is named twice' },
  invalidKind: { code: 40082, title: 'A file that adds a kind of record is not as it should be' },
})
