import { buildServer } from '../http/build-server.ts'
import type { HttpSettings } from '../http/settings.ts'
import { openServices, type Services } from './open-services.ts'
import { queryBounds } from './query-bounds.ts'
import type { Config } from './settings.ts'

type Server = ReturnType<typeof buildServer>

/** How long requests under way may take to finish once the server is told to stop. */
const DRAIN_MS = 8000

const MIB = 1024 * 1024

/** Everything that runs in one process. It does not listen yet. */
export interface Quarry {
  readonly server: Server
  readonly services: Services
  /** Takes no more requests, lets those under way finish, then closes the store. */
  close(): Promise<void>
}

/** Puts the rooms together as the settings say. */
export async function compose(config: Config): Promise<Quarry> {
  const services = await openServices(config, { tendsIndexes: true })
  try {
    const server = buildServer(services, httpSettings(config))
    return { server, services, close: () => close(server, services) }
  } catch (error) {
    await services.close()
    throw error
  }
}

async function close(server: Server, services: Services): Promise<void> {
  const impatient = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS)
  try {
    await server.close()
  } finally {
    clearTimeout(impatient)
    await services.close()
  }
}

function httpSettings(config: Config): HttpSettings {
  return {
    bounds: queryBounds(config),
    bodyLimit: config.bodyLimit,
    uploadLimit: config.uploadLimit,
    urlLimit: config.urlLimit,
    headerLimit: config.headerLimit,
    requestLimit: config.requestLimit,
    arrivalTimeoutMs: config.arrivalTimeoutMs,
    idleTimeoutMs: config.idleTimeoutMs,
    trustProxy: config.trustProxy,
    responseCacheBytes: config.responseCacheMb * MIB,
    metrics: config.metrics,
  }
}
