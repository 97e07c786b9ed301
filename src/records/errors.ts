import { defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue that records and what is done with them can cause. */
export const RECORD_ERRORS = defineErrors({
  invalidUpdate: { code: 40050, title: 'An update is not of a form that can be carried out.' },
  updateConflict: { code: 40051, title: 'Two parts of an update change the same field.' },
  fixedField: { code: 40052, title: 'An update changes a field that never changes after creation.' },
  invalidImport: { code: 40053, title: 'A record of an import is not JSON, or not of a known kind.' },
  notOwner: { code: 40310, title: 'The record can be read but belongs to another account.' },
  notFound: { code: 40410, title: 'There is no such record that the account can see.' },
  writeConflict: { code: 40901, title: 'Other writes to the record came first, again and again.' },
  idTaken: { code: 40902, title: 'The identifier of a record cannot be used.' },
  samplesNameTaken: { code: 40903, title: 'The name of the account for samples belongs to somebody else.' },
  preconditionFailed: { code: 41201, title: 'The record has changed since it was read.' },
  invalidRecord: { code: 42201, title: 'A record does not follow the schema of its kind.' },
})
