/** A request to the API, as a program of a reader's own would send it. */
export interface Call {
  /** Where the API is, with its version: `https://host/api/2018-10-01`. */
  readonly root: string
  readonly method: string
  /** Without the prefix: `/materials`. */
  readonly path: string
  readonly search?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** The account that is worked in; else the reader puts it into the environment, as the token. */
  readonly accountId?: string | undefined
  /** Whether it needs no credential. */
  readonly isOpen?: boolean | undefined
  /** What is answered; JSON when left out. */
  readonly answer?: 'json' | 'text' | undefined
}
