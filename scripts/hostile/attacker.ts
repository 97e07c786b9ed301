import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Attack } from './attacks.ts'
import type { Made } from './crowd.ts'
import type { Credentials } from './users.ts'

/** Whom an attack is made on, and as whom. */
export interface Aim {
  readonly url: string
  readonly headers: Credentials
  /** Of a token that may only read. */
  readonly readOnly: Credentials
}

/** An attack that goes on. */
export interface Attacker {
  /** Ends it, and tells what came of it. */
  stop(): Promise<Made>
}

const ENDED: Made = { connections: 0, text: 'it ended by itself' }

/** Lets a process of its own attack, and waits until it is prepared. */
export async function startAttacker({ name }: Attack, aim: Aim): Promise<Attacker> {
  const file = fileURLToPath(new URL('attack-process.ts', import.meta.url))
  const child = fork(file, [name, JSON.stringify(aim)], { execArgv: ['--import', 'tsx'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the attack ${name} ended with ${code} before it began`)))
  })
  return {
    async stop() {
      if (!child.connected) return ENDED
      const told = new Promise<Made>((resolve) => child.once('message', (made) => resolve(made as Made)))
      child.send('stop')
      const made = await Promise.race([told, ended.then(() => ENDED)])
      child.kill('SIGKILL')
      await ended
      return made
    },
  }
}
