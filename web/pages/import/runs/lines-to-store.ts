/** What the server is to store: the files of a portion, and the jobs of them that are meant. */
export interface PortionToStore {
  readonly files: readonly { readonly name: string; readonly ticket: string }[]
  readonly only: readonly string[]
  readonly isPublic: boolean
}

/** Bytes of a line that the server takes, with some room left; those of the id of a job; and jobs that one line names. */
const MOST_OF_LINE = 60 * 1024
const JOB_BYTES = 24
const MOST_IN_LINE = 500

/** Lines that say what is to be stored: several where few files hold many calculations, so that each is done in a while. */
export function linesOf({ files, only, isPublic }: PortionToStore): readonly string[] {
  const room = MOST_OF_LINE - new TextEncoder().encode(JSON.stringify(files)).length
  const most = Math.max(1, Math.min(MOST_IN_LINE, Math.floor(room / JOB_BYTES)))
  const lines: string[] = []
  for (let at = 0; at < only.length; at += most)
    lines.push(JSON.stringify({ files, only: only.slice(at, at + most), isPublic }))
  return lines
}
