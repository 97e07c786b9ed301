import { defineErrors } from '../kernel/errors.ts'

/** What the query language refuses. Every one of them is the client's to mend, so every one is a 400. */
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
})
