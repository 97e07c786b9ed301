/** Ctrl-C under `npm start` arrives twice, from the terminal and from npm; only a later signal is a second one. */
const ECHO_MS = 500

/** What asks a server to finish: its supervisor, Ctrl-C, and the terminal that it was started from when that goes away. */
const SIGNALS = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const

/**
 * Resolves at the first of them. A second one ends the process at once, with the exit code that a shell expects
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
    for (const [signal, number] of Object.entries(SIGNALS)) {
      process.on(signal, () => hear(signal as keyof typeof SIGNALS, number))
    }
  })
}
