import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { APP_ERRORS } from '../../app/errors.ts'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault } from '../../kernel/file-fault.ts'
import { inWordsOf } from '../../page/remedies.ts'
import { QUERY_ERRORS } from '../../query/errors.ts'
import { CLI_ERRORS } from './errors.ts'

/** Exit codes, stable for scripts. */
export const EXIT = {
  /** All was done. */
  ok: 0,
  /** It was not done, or only in part: records were refused, a name was taken, nothing has that id. */
  failed: 1,
  /** The command itself is wrong: flags, arguments, settings. Nothing was tried. */
  usage: 2,
  /** The data directory is missing, damaged, of a newer version, or cannot be reached. */
  data: 3,
} as const

/** Signals that ask a process to finish: from its supervisor, by Ctrl-C, and when its terminal goes away. A shell expects 128 more as the exit code. */
export const SIGNALS = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const USAGE_CODES: readonly number[] = [
  APP_ERRORS.invalidSetting.code,
  APP_ERRORS.unreadableConfig.code,
  APP_ERRORS.invalidKind.code,
  APP_ERRORS.invalidPlace.code,
  CLI_ERRORS.usage.code,
  ...Object.values(QUERY_ERRORS).map(({ code }) => code),
]

/** Sorts a failure into the exit code that stands for it. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (!(error instanceof AppError)) return EXIT.failed
  if (USAGE_CODES.includes(error.code)) return EXIT.usage
  return error.status >= 500 || error.code === CLI_ERRORS.noData.code ? EXIT.data : EXIT.failed
}

/** Says in the words of commands what is to be done, and what the system has against a file or directory; any other fault stays as it is. */
export function inWords(fault: unknown): unknown {
  if (fault instanceof AppError) {
    const { message, data } = inWordsOf('cli', fault)
    return new AppError(fault.spec, message, data, fault.cause)
  }
  const { code, path } = fault as Partial<NodeJS.ErrnoException>
  if (code === undefined || typeof path !== 'string') return fault
  const file = resolve(path)
  const { reason, hint } = explainFileFault(fault, file, 'write')
  return new AppError(CLI_ERRORS.unusableFile, `${file} cannot be used: ${reason}.`, { hint }, fault)
}
