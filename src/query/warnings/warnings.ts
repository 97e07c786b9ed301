import { defineWarnings } from '../../kernel/warnings.ts'

/** Warnings of probably unintended requests; each was answered as MongoDB would answer it. */
export const QUERY_WARNINGS = defineWarnings({
  unknownField: { code: 20001, title: 'No record that the requester can see has a field that the request names.' },
  neverOfType: { code: 20002, title: 'A field is compared with a value of a type that it never has.' },
  missingDollar: { code: 20003, title: 'A name of an operator stands without its $, and so is taken for a field.' },
  patternAsText: { code: 20004, title: 'What looks like a pattern is compared as the text that it is.' },
  listAsValue: { code: 20005, title: 'A field is compared with a whole list, which equals only a list.' },
  otherSpelling: { code: 20006, title: 'A value is not spelled as records spell it.' },
  wholeObject: {
    code: 20007,
    title: 'A field is compared with a whole object, which equals only an object with the same fields.',
  },
  exactNumber: { code: 20008, title: 'A number with decimals is asked for that no record has to the last digit.' },
  contradiction: { code: 20009, title: 'Conditions on one field that no value meets together.' },
  overruled: { code: 20011, title: 'Two parts of a request say different things, and one of them counts.' },
  looseOperand: { code: 20010, title: 'An operand is taken as MongoDB takes it, which is not what it looks like.' },
})
