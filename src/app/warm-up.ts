import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '../accounts/session.ts'
import { HTTP_EVENTS } from '../http/events.ts'
import { newId } from '../kernel/names.ts'
import { materialKind } from '../records/kinds/material/material-kind.ts'
import { readSamples } from '../records/samples/library.ts'
import { prepareCreation } from '../records/use-cases/create-record.ts'
import { NO_WORDS } from '../store/port/account-store.ts'
import type { Services } from './open-services.ts'

/** The sample whose creation is rehearsed first. */
const FIRST = 'si-diamond'

/** Does once, writing nothing, what first requests would wait for: threads start, code is compiled. Where it fails, the log tells why, and requests wait. */
export async function warmUp(services: Services, threads: number): Promise<void> {
  try {
    const first = samples().find(({ key }) => key === FIRST)
    const rehearsals = Array.from({ length: threads }, () => rehearse(services, first))
    await Promise.all([services.store.warmUp(), ...rehearsals])
  } catch (error) {
    services.log.tell(HTTP_EVENTS.notWarmedUp, {}, error)
  }
}

/** Times at which a server practises, in milliseconds. */
export interface PractisingTimes {
  /** After the start. */
  readonly firstMs: number
  /** Between one rehearsal and the next. */
  readonly againMs: number
}

const TIMES: PractisingTimes = { firstMs: 500, againMs: 40 }
/** So many creations compile most of what they use. */
const TURNS = 36

/** Rehearses creations after a start, writing nothing, wherever nobody makes records: the first one of a day took ten times what it takes later. Gives the way to end. */
export function practise(services: Services, times: PractisingTimes = TIMES): () => Promise<void> {
  const ending = new AbortController()
  const practising = practiseUntil(services, times, ending.signal).catch((error: unknown) => {
    if (!ending.signal.aborted) services.log.tell(HTTP_EVENTS.notWarmedUp, {}, error)
  })
  return () => {
    ending.abort()
    return practising
  }
}

async function practiseUntil(
  services: Services,
  { firstMs, againMs }: PractisingTimes,
  signal: AbortSignal,
): Promise<void> {
  const all = samples()
  for (let turn = 0; turn < TURNS; turn++) {
    await wait(turn === 0 ? firstMs : againMs, undefined, { signal, ref: false })
    const { busy, waiting } = services.records.work.metrics
    if (busy + waiting === 0) await rehearse(services, all[turn % all.length])
  }
}

function samples() {
  return readSamples(materialKind.collection)
}

/** Prepares the creation of a sample for somebody who has a thread of their own. */
async function rehearse({ records, kinds }: Services, sample: ReturnType<typeof samples>[number] | undefined) {
  const kind = kinds.find(({ collection }) => collection === materialKind.collection)
  if (sample === undefined || kind === undefined) throw new Error(`there is no sample ${FIRST}`)
  await prepareCreation({ deps: records, kind, session: sessionOfNobody() }, { document: sample.document }, {})
}

function sessionOfNobody(): Session {
  const id = newId()
  const name = 'nobody'
  const account = { id, name, slug: name, type: 'personal', email: null, createdAt: 0, ...NO_WORDS } as const
  return {
    user: { id, name, slug: name, email: null },
    account,
    role: 'owner',
    token: { id, kind: 'session', oneAccount: true },
    readOnly: true,
    endsAt: Number.POSITIVE_INFINITY,
    scope: { kind: 'account', accountId: id },
    origin: { via: 'server', address: null, request: null },
  }
}
