import { createToken } from '../accounts/tokens.ts'
import { createUser, listUsers } from '../accounts/users.ts'
import { type LoadedSamples, loadSampleRuns, loadSamples } from '../records/samples/load-samples.ts'
import { SAMPLES_USER_ID } from '../records/samples/owner.ts'
import type { Services } from './open-services.ts'
import type { Config } from './settings.ts'

/** The credentials of the first user; they exist in this value and nowhere else. */
export interface FirstUser {
  readonly name: string
  readonly password: string
  readonly accountId: string
  readonly token: string
}

const FIRST_USER_NAME = 'admin'

/** Tells, in the store, how far the samples are; a store that has no such mark is new or has been used without them. */
const SAMPLES_MARK = 'samples'
const BEGUN = 'begun'
const LEFT_OUT = 'left out'

/** Makes the first user and loads the samples where no users are; samples whose loading was interrupted are loaded to the end. */
export async function firstStart(
  services: Services,
  { samples }: Pick<Config, 'samples'>,
  announce: (user: FirstUser) => void,
): Promise<void> {
  const { store } = services
  const isNew = await hasNoUsers(services)
  if (samples && isNew && (await store.readMark(SAMPLES_MARK)) === null) await store.writeMark(SAMPLES_MARK, BEGUN)
  if (isNew) announce(await createFirstUser(services))
  if ((await store.readMark(SAMPLES_MARK)) !== BEGUN) return
  if (samples) await addSamples(services)
  else await store.writeMark(SAMPLES_MARK, LEFT_OUT)
}

/** Loads those of the samples that are not there, and notes that they have been. */
export async function addSamples(
  { store, records }: Services,
  progress?: (done: number, total: number) => void,
): Promise<LoadedSamples> {
  const options = progress === undefined ? {} : { progress }
  const documents = await loadSamples(records, options)
  const runs = await loadSampleRuns(records, options)
  await store.writeMark(SAMPLES_MARK, new Date(records.clock()).toISOString())
  return { stored: documents.stored + runs.stored, present: documents.present + runs.present }
}

/** The samples belong to a user, too, whom nobody can be. */
async function hasNoUsers({ accounts }: Services): Promise<boolean> {
  return (await listUsers(accounts)).every(({ id }) => id === SAMPLES_USER_ID)
}

async function createFirstUser({ accounts }: Services): Promise<FirstUser> {
  const password = Buffer.from(accounts.random(15)).toString('base64url')
  const user = await createUser(accounts, { name: FIRST_USER_NAME, password })
  const accountId = user.defaultAccountId
  const { secret } = await createToken(accounts, { userId: user.id, accountId, name: 'first start' })
  return { name: user.name, password, accountId, token: secret }
}
