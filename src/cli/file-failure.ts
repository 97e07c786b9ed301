import { resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { explainFileFault } from '../kernel/file-fault.ts'
import { CLI_ERRORS } from './errors.ts'

/** Says in words what the system has against a file or directory; any other fault stays as it is. */
export function inWords(fault: unknown): unknown {
  const { code, path } = fault as Partial<NodeJS.ErrnoException>
  if (fault instanceof AppError || code === undefined || typeof path !== 'string') return fault
  const file = resolve(path)
  const { reason, hint } = explainFileFault(fault, file, 'write')
  return new AppError(CLI_ERRORS.unusableFile, `${file} cannot be used: ${reason}.`, { hint }, fault)
}
