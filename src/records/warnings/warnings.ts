import { defineWarnings } from '../../kernel/warnings.ts'

/** Warnings of stored records that probably do not say what was meant. */
export const RECORD_WARNINGS = defineWarnings({
  nearlyField: { code: 20020, title: 'A record has a field whose name is nearly that of a field of its kind.' },
  unreachableKey: {
    code: 20021,
    title: 'A record has a key with a dot, or an empty one, within an object: no path of a query leads to it.',
  },
  replacedValue: {
    code: 20022,
    title: 'A field that the server computes was sent with another value, which is not stored.',
  },
  missingDollar: {
    code: 20024,
    title: 'An update has a field with the name of an operator without its $, which is taken for a field.',
  },
  sameUnfinished: {
    code: 20025,
    title: 'The search for the same crystal was not complete: there may be more than are told.',
  },
  importedBefore: {
    code: 20026,
    title: 'A file was imported before and is not stored again: other fields that came with it are not applied.',
  },
  nearlyProperty: { code: 20027, title: 'A property has a name of its own that is nearly a known one.' },
  unitTaken: { code: 20028, title: 'A property says no unit, and is taken to be in that of its name.' },
  ofNothing: { code: 20029, title: 'A property names no material and no job, so that none shows it.' },
  ofOthers: {
    code: 20031,
    title: 'A property is of a material that does not show it: of another account, or not as public.',
  },
  shownAlready: {
    code: 20032,
    title: 'A property is of the value, group and job of one that its material shows already.',
  },
  oddValue: { code: 20030, title: 'A property has a value that its name cannot have.' },
  oddRecord: { code: 20023, title: 'A check of a record has found something odd.' },
})
