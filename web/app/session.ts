import { ask } from '../api/client.ts'
import { forgetSession, type Me, notice, rememberSession } from './session-state.ts'

export { beginSession, chooseAccount, chosenAccount, type Me, me, notice } from './session-state.ts'

/** Finds out who is signed in, in whichever tab. */
export async function findSession(): Promise<void> {
  try {
    const { data } = await ask<Me | null>('GET', '/session')
    if (data === null) forgetSession()
    else rememberSession(data)
  } catch (error) {
    forgetSession((error as Error).message)
  }
}

/** @throws {Refusal} */
export async function signIn(username: string, password: string): Promise<void> {
  const { data } = await ask<Me>('POST', '/session', { body: { username, password } })
  notice.value = null
  rememberSession(data)
}

export async function signOut(): Promise<void> {
  await ask('DELETE', '/session').catch(() => null)
  forgetSession('You are logged out.')
}
