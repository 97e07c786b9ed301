import { defineErrors } from '../../kernel/errors.ts'

/** The rows of the error catalogue that only a command can cause. */
export const CLI_ERRORS = defineErrors({
  usage: { code: 40090, title: 'A command was given an argument that it cannot use' },
  noData: { code: 40091, title: 'The data directory has no database' },
  fileExists: { code: 40092, title: 'The file to be written exists already' },
  unreadableFile: { code: 40093, title: 'A file that a command was given cannot be read to its end' },
  unwritableFile: { code: 40094, title: 'A file that a command was given cannot be written' },
  cannotListen: { code: 40095, title: 'The server cannot listen on the address' },
  unusableFile: { code: 40088, title: 'A file or directory that a command works on cannot be used' },
  workersEnd: { code: 40089, title: 'The worker processes of a server end again and again' },
})
