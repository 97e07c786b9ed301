import { ACCOUNT_ERRORS } from '../accounts/errors.ts'
import type { ErrorSpec } from '../kernel/errors.ts'
import { OPTIMADE_ERRORS } from '../optimade/errors.ts'
import { QUERY_ERRORS } from '../query/errors.ts'
import { RECORD_ERRORS } from '../records/errors.ts'
import { STORE_ERRORS } from '../store/errors.ts'
import { HTTP_ERRORS } from './errors.ts'

/** Every error that can reach a client of the API, by code. */
export const ERROR_CATALOGUE: readonly ErrorSpec[] = [
  ...Object.values(HTTP_ERRORS),
  ...Object.values(ACCOUNT_ERRORS),
  ...Object.values(QUERY_ERRORS),
  ...Object.values(RECORD_ERRORS),
  ...Object.values(STORE_ERRORS),
  ...Object.values(OPTIMADE_ERRORS),
].sort((a, b) => a.code - b.code)
