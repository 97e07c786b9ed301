import { defineErrors } from '../kernel/errors.ts'

/** Errors of the query language. Every one of them is the client's to mend, so every one is a 400. */
export const QUERY_ERRORS = defineErrors({
  invalidJson: { code: 40001, title: 'The text of a query or projection is not JSON.' },
  notAnObject: {
    code: 40002,
    title: 'A JSON object stands where the query language asks for one, and something else is there.',
  },
  unknownOperator: { code: 40003, title: 'A name that begins with $ is no operator of the query language.' },
  misplacedOperator: { code: 40004, title: 'An operator stands where it has no meaning.' },
  invalidOperand: { code: 40005, title: 'The operand of an operator has the wrong shape.' },
  unsupportedOperator: { code: 40006, title: 'An operator of MongoDB that this server does not run.' },
  invalidPath: { code: 40007, title: 'A dotted path has an empty component or too many.' },
  invalidPattern: { code: 40008, title: 'A regular expression is not well formed.' },
  unsupportedPattern: { code: 40009, title: 'A regular expression asks for what no linear-time engine can do.' },
  boundExceeded: { code: 40010, title: 'A query is larger than the server allows.' },
  invalidLiteral: { code: 40011, title: 'A value to compare with holds a $-name, or malformed extended JSON.' },
  duplicateKey: { code: 40012, title: 'A JSON object has the same key twice.' },
  inexactNumber: { code: 40013, title: 'A number cannot be held without losing precision.' },
  unknownProjectionKey: { code: 40016, title: 'A projection has a key other than sort, skip, limit and fields.' },
  outOfRange: { code: 40017, title: 'The skip or limit of a projection is no integer within its bounds.' },
  invalidSort: { code: 40018, title: 'A sort has the wrong shape, a wrong direction or a key twice.' },
  invalidFields: {
    code: 40019,
    title: 'The fields of a projection contradict each other or ask for what they cannot.',
  },
  unsortable: {
    code: 40020,
    title: 'A document offers too many values to sort by: arrays in several keys of the sort.',
  },
  positionalMismatch: {
    code: 40021,
    title: 'No single element of an array satisfied the query that `arr.$` refers to.',
  },
  unknownExpression: { code: 40022, title: 'A name that begins with $ is no operator of the expression language.' },
  unsupportedExpression: { code: 40023, title: 'An expression operator of MongoDB that this server does not run.' },
  invalidExpression: { code: 40024, title: 'An expression operator has the wrong number or shape of arguments.' },
  unknownVariable: { code: 40025, title: 'An expression uses a variable that is not defined there.' },
  expressionFailed: { code: 40026, title: 'An expression could not be computed for a document.' },
  expressionTooCostly: { code: 40027, title: 'An expression does more work on one document than the server allows.' },
  invalidCursor: { code: 40028, title: 'A cursor is none, belongs to another list or sort, or its record is gone.' },
  valueTooLong: { code: 40029, title: 'A value is too long to be one of a list of different values.' },
})
