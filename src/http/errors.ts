import { defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue that a request can cause before its content means anything. */
export const HTTP_ERRORS = defineErrors({
  malformedRequest: { code: 40030, title: 'The bytes are not a well-formed HTTP request.' },
  malformedUrl: { code: 40031, title: 'The URL is not well-formed percent-encoded UTF-8.' },
  unknownParameter: { code: 40032, title: 'A URL parameter is not one that the endpoint has.' },
  duplicateParameter: { code: 40033, title: 'A parameter or form field is given more than once.' },
  invalidParameter: { code: 40034, title: 'The value of a URL parameter is not what the parameter takes.' },
  unsupportedParameter: { code: 40035, title: 'A URL parameter of other servers that this one does not have.' },
  unknownBodyField: { code: 40038, title: 'The body has a field that the endpoint does not take.' },
  invalidBodyField: { code: 40039, title: 'A field of the body is missing or of the wrong type.' },
  unexpectedBody: { code: 40040, title: 'A body was sent where none is read.' },
  invalidKey: { code: 40041, title: 'The Idempotency-Key is none.' },
  keyNotTaken: { code: 40042, title: 'An Idempotency-Key came with a request whose answer is not kept.' },
  keyOfAnother: { code: 42260, title: 'The Idempotency-Key was used for another request.' },
  metricsNotPublic: {
    code: 40330,
    title: 'The metrics were asked for from another machine, which the setting does not allow.',
  },
  notThePage: {
    code: 40331,
    title: 'Something that is for the page of the server alone was asked for by another client.',
  },
  unknownRoute: { code: 40401, title: 'There is no such address.' },
  unknownVersion: { code: 40402, title: 'The API has no such version.' },
  wrongMethod: { code: 40501, title: 'The address exists but not for this method; Allow lists those it has.' },
  notAcceptable: { code: 40601, title: 'Accept names no media type that the address can answer in.' },
  requestTimeout: { code: 40801, title: 'The request did not arrive in time.' },
  bodyTooLarge: { code: 41301, title: 'The body is larger than the server takes.' },
  urlTooLong: { code: 41401, title: 'The URL is longer than the server takes.' },
  unsupportedMediaType: { code: 41501, title: 'The Content-Type of the body is not one that the endpoint reads.' },
  unsupportedEncoding: { code: 41502, title: 'The body is compressed or in a charset other than UTF-8.' },
  unmetExpectation: { code: 41701, title: 'The Expect header asks for something other than 100-continue.' },
  headersTooLarge: { code: 43101, title: 'Request line and headers together are larger than the server takes.' },
  tooManyWaiting: { code: 42930, title: 'So many requests of one user wait for their turn that no more are taken.' },
  tooManyOfOne: { code: 42931, title: 'One user has as many exports or imports under way as one user may have.' },
  quotaExceeded: {
    code: 42932,
    title: 'One user has had as many requests or as much processor time as there is for a minute.',
  },
  internal: { code: 50001, title: 'The server has a fault; its log has the details under the request id.' },
  notComputing: { code: 50101, title: 'A job was submitted; the server keeps jobs and does not run them.' },
  overloaded: {
    code: 50330,
    title: 'More requests, exports or imports are under way than the server takes on at a time.',
  },
  notReady: { code: 50331, title: 'The store cannot serve at the moment.' },
})
