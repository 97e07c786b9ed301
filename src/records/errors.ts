import { AppError, defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue that records and what is done with them can cause. */
export const RECORD_ERRORS = defineErrors({
  invalidBody: { code: 40036, title: 'The body is not JSON in UTF-8, or its JSON is ambiguous.' },
  bodyNotAnObject: { code: 40037, title: 'The body is absent, or JSON but not an object.' },
  invalidUpdate: { code: 40050, title: 'An update is not of a form that can be carried out.' },
  updateConflict: { code: 40051, title: 'Two parts of an update change the same field.' },
  fixedField: { code: 40052, title: 'An update changes a field that never changes after creation.' },
  invalidImport: { code: 40053, title: 'A record of an import is not JSON, or not of a known kind.' },
  missingRevision: { code: 40054, title: 'It is not said which version of a record is to be restored.' },
  computedField: { code: 40055, title: 'An update sets a field that the server computes to another value.' },
  keyMissing: { code: 40056, title: 'A record of an import has no single value at the key that it is stored by.' },
  tooManyFiles: { code: 40060, title: 'More structures are asked for, or sent, than one archive can have.' },
  warned: { code: 40065, title: 'A strict request would have been answered, or a record stored, with a warning.' },
  energyGroup: { code: 40066, title: 'Energies of several groups would be compared, or there are none of a group.' },
  notOwner: { code: 40310, title: 'The record can be read but belongs to another account.' },
  mayNotPurge: { code: 40311, title: 'Only owners and administrators of an account delete its records for good.' },
  notFound: { code: 40410, title: 'There is no such record that the account can see.' },
  revisionNotFound: { code: 40411, title: 'The record is there, but not the version of it.' },
  noDefault: { code: 40412, title: 'The account has no default record of the kind.' },
  removedNotFound: { code: 40413, title: 'There is no such record among those that the account removed.' },
  undoNotFound: { code: 40414, title: 'There is no such change of many records that could be undone.' },
  badLink: { code: 40320, title: 'A link to a file is not one that was given out, or its time is over.' },
  fileNotFound: { code: 40415, title: 'The record is there, but has no file of that name.' },
  badFileName: { code: 40061, title: 'A file cannot have that name.' },
  tooManyAttached: { code: 42252, title: 'A record would have more files than it may have.' },
  uploadGap: { code: 41601, title: 'Bytes of a file do not follow those that have arrived.' },
  otherDigest: { code: 42253, title: 'What arrived of a file is not what its digest says.' },
  writeConflict: { code: 40901, title: 'Other writes to the record came first, again and again.' },
  idTaken: { code: 40902, title: 'The identifier of a record cannot be used.' },
  samplesNameTaken: { code: 40903, title: 'The name of the account for samples belongs to somebody else.' },
  isDefault: { code: 40904, title: 'The default record of an account cannot be deleted.' },
  notInSet: { code: 40905, title: 'A record is not in the set that it is to leave.' },
  nestingRefused: { code: 40906, title: 'A set cannot be moved into the other set.' },
  duplicate: { code: 40907, title: 'The account has a record of the same content, and another was not wanted.' },
  notASet: { code: 40908, title: 'A record is named where a set is expected.' },
  setAsDefault: { code: 40909, title: 'A set cannot be the default record.' },
  unexpectedCount: { code: 40910, title: 'A change of many records meets another number of them than it expects.' },
  setAmongThem: { code: 40911, title: 'A set is among records that are to be removed together.' },
  keyShared: { code: 40912, title: 'Several records of the account have the key by which one is to be stored.' },
  preconditionFailed: { code: 41201, title: 'The record has changed since it was read.' },
  fieldTooLong: { code: 41317, title: 'A field of a body or a form is longer than what it is for.' },
  archiveTooLarge: { code: 41316, title: 'An archive, or a file within it, is larger than can be unpacked.' },
  invalidRecord: { code: 42201, title: 'A record does not follow the schema of its kind.' },
  unreadableArchive: { code: 42202, title: 'An archive is damaged, or holds what is not read from archives.' },
  fileChanged: { code: 42205, title: 'A file was changed while it was being imported.' },
  tooMuchWork: { code: 42203, title: 'A record or a file takes more time or memory to be read than it may have.' },
  tooManyTogether: { code: 42204, title: 'A change means more records than it can take at once.' },
  tooManyToDraw: { code: 42241, title: 'A material has more atoms than the server draws.' },
  noFingerprint: { code: 42242, title: 'A material has no fingerprint by which like ones could be found.' },
  missingReferences: { code: 42254, title: 'A phase diagram lacks the energy of an element alone.' },
  noHull: { code: 42255, title: 'Energies of which no phase diagram can be made.' },
  fault: {
    code: 50040,
    title: 'The server has a fault that one record of an import has met; its log has the details.',
  },
})

/** The refusal of a record of an import before anything is known of its content. */
export function invalidImport(message: string, path?: string, hint?: string): AppError {
  const data = { ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) }
  return new AppError(RECORD_ERRORS.invalidImport, message, data)
}
