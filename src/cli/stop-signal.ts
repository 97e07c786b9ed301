/** Ctrl-C under `npm start` arrives twice, from the terminal and from npm; only a later signal is a second one. */
const ECHO_MS = 500

/**
 * Resolves at the first SIGTERM or SIGINT. A second one ends the process at once, with the exit code that a shell expects
 * of a process that was killed by it.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | null = null
    const hear = (signal: NodeJS.Signals, number: number) => {
      if (first !== null && Date.now() - first > ECHO_MS) process.exit(128 + number)
      first ??= Date.now()
      resolve(signal)
    }
    process.on('SIGTERM', () => hear('SIGTERM', 15))
    process.on('SIGINT', () => hear('SIGINT', 2))
  })
}
