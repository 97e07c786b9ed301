import { setImmediate } from 'node:timers/promises'
import { buildServer } from '../http/server/build-server.ts'
import type { HttpSettings } from '../http/settings.ts'
import type { Peers } from '../kernel/metrics.ts'
import type { QueryBounds } from '../query/plan.ts'
import { answersMb, openServices, recordThreads, type Services } from './open-services.ts'
import type { Config } from './settings.ts'
import { tendBulkChanges } from './tend-bulk-changes.ts'
import { tendFiles } from './tend-files.ts'
import { tendHulls } from './tend-hulls.ts'
import { tendSymmetry } from './tend-symmetry.ts'
import { practise, warmUp } from './warm-up.ts'

export function queryBounds(config: Config): QueryBounds {
  return {
    maxBytes: config.queryBytes,
    maxDepth: config.queryDepth,
    maxClauses: config.queryClauses,
    maxInValues: config.queryInValues,
  }
}

type Server = ReturnType<typeof buildServer>

/** Time limit of requests under way once the server is told to stop, in milliseconds. */
const DRAIN_MS = 8000

const MIB = 1024 * 1024

/** As many connections as the system takes up before the server has accepted any: one more than the backlog that Node asks for. */
const MOST_WAITING = 512

/** Everything that runs in one process. It does not listen yet. */
export interface Quarry {
  readonly server: Server
  readonly services: Services
  /** Takes no more requests, lets those under way finish, then closes the store. */
  close(): Promise<void>
}

/** Puts the rooms together as the settings say; a process that is one of several is told of the others. */
export async function compose(config: Config, peers?: Peers): Promise<Quarry> {
  const services = await openServices(config, { via: 'server', tends: peers === undefined })
  try {
    const isWarm = config.warmUp === 'on'
    if (isWarm) await warmUp(services, recordThreads(config, true))
    const server = buildServer({ ...services, peers }, httpSettings(config))
    const ends = [
      tendSymmetry(services, config),
      tendFiles(services),
      tendHulls(services),
      tendBulkChanges(services),
      ...(isWarm ? [practise(services)] : []),
    ]
    return {
      server,
      services,
      close: async () => {
        await Promise.all(ends.map((end) => end()))
        await close(server, services)
      },
    }
  } catch (error) {
    await services.close()
    throw error
  }
}

async function close(server: Server, services: Services): Promise<void> {
  await acceptWaiting(server)
  const impatient = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS)
  try {
    await server.close()
  } finally {
    clearTimeout(impatient)
    await services.close()
  }
}

/** Lets in connections that the system has taken up, one in each turn, until none come: to stop listening at once would reset them. */
async function acceptWaiting({ server }: Server): Promise<void> {
  let accepted = 0
  const note = () => {
    accepted += 1
  }
  server.on('connection', note)
  // The present turn may be past the place where connections come in, so it does not count.
  await setImmediate()
  for (let before = -1; before < accepted && accepted < MOST_WAITING; ) {
    before = accepted
    await setImmediate()
  }
  server.off('connection', note)
}

function httpSettings(config: Config): HttpSettings {
  // One by one: other settings, an address with a password among them, are none of its.
  return {
    bounds: queryBounds(config),
    bodyLimit: config.bodyLimit,
    uploadLimit: config.uploadLimit,
    urlLimit: config.urlLimit,
    headerLimit: config.headerLimit,
    requestLimit: config.requestLimit,
    quotaRequests: config.quotaRequests,
    quotaCpuMs: config.quotaCpuMs,
    arrivalTimeoutMs: config.arrivalTimeoutMs,
    stallTimeoutMs: config.stallTimeoutMs,
    idleTimeoutMs: config.idleTimeoutMs,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    strict: config.strict,
    responseCacheBytes: answersMb(config) * MIB,
    metrics: config.metrics,
    accessLog: config.accessLog,
    identity: {
      providerName: config.providerName,
      providerDescription: config.providerDescription,
      providerHomepage: config.providerHomepage,
      maintainerEmail: config.maintainerEmail,
      issueTrackerUrl: config.issueTrackerUrl,
      sourceUrl: config.sourceUrl,
    },
  }
}
