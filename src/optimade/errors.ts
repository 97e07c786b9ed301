import { defineErrors } from '../kernel/errors.ts'

/** Errors of the OPTIMADE API; the statuses are those that its specification asks for. */
export const OPTIMADE_ERRORS = defineErrors({
  invalidFilter: { code: 40096, title: 'An OPTIMADE filter is not well formed, or larger than the server allows.' },
  unknownProperty: { code: 40097, title: 'An OPTIMADE request names a property that structures do not have.' },
  invalidParameter: { code: 40098, title: 'The value of a parameter is not what OPTIMADE allows there.' },
  unknownParameter: { code: 40099, title: 'A parameter is neither of OPTIMADE nor of another provider.' },
  pageTooLarge: { code: 40390, title: 'A page of more entries is asked for than the server gives at a time.' },
  notAcceptable: {
    code: 40690,
    title: 'The Accept header asks for JSON:API documents with parameters of the media type.',
  },
  notImplemented: {
    code: 50190,
    title: 'An OPTIMADE request uses an optional feature that this server does not have.',
  },
  unsupportedVersion: { code: 55301, title: 'A version of OPTIMADE is asked for that this server does not speak.' },
})
