import type { AddressInfo } from 'node:net'
import type { Quarry } from '../../app/compose.ts'
import type { FirstUser } from '../../app/first-start.ts'
import type { Config } from '../../app/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { SIGNALS } from '../console/exit-code.ts'
import { CLI_EVENTS } from './events.ts'

/** Starts to listen; gives the address as a URL. */
export async function listen({ server }: Quarry, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw new AppError(CLI_ERRORS.cannotListen, ...explain(error as NodeJS.ErrnoException, host, port))
  }
  return urlOf(host, (server.server.address() as AddressInfo).port)
}

/** Writes host and port as a URL; IPv6 addresses go in brackets. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): [message: string, data: { hint: string }] {
  switch (error.code) {
    case 'EADDRINUSE':
      return [
        `Port ${port} of ${host} is in use, perhaps by another Quarry.`,
        { hint: `Stop the other program (lsof -i :${port} names it), or choose a port: --port 0 takes a free one.` },
      ]
    case 'EACCES':
      return [
        `Port ${port} is not open to this user.`,
        { hint: 'Choose a port from 1024 up, for instance --port 3000.' },
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [
        `This machine has no address ${host}.`,
        { hint: 'Use --host 127.0.0.1 for this machine alone, or --host 0.0.0.0 for all interfaces.' },
      ]
    default:
      return [`The server cannot listen on ${host}, port ${port}: ${error.message}`, { hint: 'Try --host and --port.' }]
  }
}

const RULE = '-'.repeat(78)
const EXAMPLE_QUERY = 'query=%7B%22formula%22%3A%22Si%22%7D'

/** Writes what the first user must know, once, without a frame at the sides, so that lines can be copied. */
export function firstStartNotice(url: string, user: FirstUser): string {
  const headers = [`X-Account-Id: ${user.accountId}`, `X-Auth-Token: ${user.token}`]
  const options = headers.map((header) => `-H '${header}'`).join(' ')
  return [
    RULE,
    'First start. This is shown once and kept nowhere: copy what you need.',
    '',
    `  address   ${url}`,
    `  user      ${user.name}`,
    `  password  ${user.password}`,
    `  account   ${user.accountId}`,
    `  token     ${user.token}`,
    '',
    'Try it:',
    `curl ${options} '${url}/api/2018-10-01/materials?${EXAMPLE_QUERY}'`,
    RULE,
  ].join('\n')
}

/** The address to use from this machine when the server listens on all of its interfaces. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Ctrl-C under `npm start` arrives twice, from the terminal and from npm; only a later signal is a second one. */
const ECHO_MS = 500

/** Resolves at the first of them. A second one ends the process at once, with the exit code that a shell expects of a killed process. */
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

/** Has the log tell of what ends this process, before Node ends it with what it has to say, and exit code 1. */
export function tellFailure(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error) => log.tell(CLI_EVENTS.processFailed, {}, error))
}
