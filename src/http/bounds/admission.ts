import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Lets so many requests be answered at a time. */
export interface Admission {
  /** Runs what answers a request; where as many are being answered as there may be, the next one is refused at once. */
  readonly admit: <Result>(run: () => Promise<Result>) => Promise<Result>
  /** Number of requests being answered. */
  readonly answering: number
}

export function createAdmission(limit: number): Admission {
  let answering = 0
  return {
    get answering() {
      return answering
    },
    async admit(run) {
      if (answering >= limit) throw overloaded()
      answering++
      try {
        return await run()
      } finally {
        answering--
      }
    },
  }
}

function overloaded(): AppError {
  return new AppError(
    HTTP_ERRORS.overloaded,
    'The server is answering as many requests as it can. Try again in a second.',
    {
      retryAfterSeconds: 1,
    },
  )
}
