import type { Session } from '../accounts/session.ts'
import { HTTP_ERRORS } from '../http/errors.ts'
import { HTTP_EVENTS } from '../http/events.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { materialKind } from '../records/kinds/material/material-kind.ts'
import { prepareCreation } from '../records/use-cases/create-record.ts'
import { readSamples } from '../records/use-cases/samples.ts'
import type { Services } from './open-services.ts'

/** The sample whose creation is rehearsed. */
const SAMPLE = 'si-diamond'

/** Does once, writing nothing, what first requests would wait for: threads start, code is compiled, the usual public columns are read. */
async function warmUp({ records, kinds }: Services, recordThreads: number): Promise<void> {
  const document = readSamples(materialKind.collection).find(({ key }) => key === SAMPLE)?.document
  const kind = kinds.find(({ collection }) => collection === materialKind.collection)
  if (document === undefined || kind === undefined) throw new Error(`there is no sample ${SAMPLE}`)
  const rehearsals = Array.from({ length: recordThreads }, () => {
    const session = sessionOfNobody()
    return prepareCreation({ deps: records, kind, session }, { document }, {})
  })
  await Promise.all(rehearsals)
}

/** State of a warm-up. */
interface Warmth {
  /** Resolves when nothing is done for it any more. */
  readonly over: Promise<void>
  /** Fails while the server is not warm yet. */
  ping(): Promise<void>
}

/** State of a server without a warm-up. */
export const AS_IT_IS: Warmth = { over: Promise.resolve(), ping: () => Promise.resolve() }

/** Until it is over a server is not ready; where it fails, whoever asks for something is told why. */
export function beginWarmUp(services: Services, threads: number): Warmth {
  let isOver = false
  const over = warmUp(services, threads)
    .catch((error: unknown) => services.log.tell(HTTP_EVENTS.notWarmedUp, {}, error))
    .finally(() => {
      isOver = true
    })
  const ping = async (): Promise<void> => {
    if (!isOver) throw new AppError(HTTP_ERRORS.notReady, 'The server has just started, and is not warm yet.')
  }
  return { over, ping }
}

/** Each has a thread of its own. */
function sessionOfNobody(): Session {
  const id = newId()
  const name = 'nobody'
  const account = { id, name, slug: name, type: 'personal', email: null, createdAt: 0 } as const
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
