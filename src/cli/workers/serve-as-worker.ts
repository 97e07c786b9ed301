import cluster from 'node:cluster'
import { compose } from '../../app/compose.ts'
import type { Config } from '../../app/settings.ts'
import { listen } from '../listen.ts'
import { stopSignal } from '../stop-signal.ts'
import { tellFailure } from '../tell-failure.ts'
import { STOP } from './crew.ts'
import { workerPeers } from './worker-peers.ts'

/** Serves as one of several processes until this one, or the one that minds them, is told to stop. */
export async function serveAsWorker(config: Config): Promise<void> {
  const stopped = Promise.race([stopSignal(), stopMessage()])
  try {
    const quarry = await compose(config, workerPeers())
    tellFailure(quarry.services.log)
    try {
      await listen(quarry, config)
      await stopped
    } finally {
      await quarry.close()
    }
  } finally {
    // The channel to the other process would keep this one alive.
    cluster.worker?.disconnect()
  }
}

function stopMessage(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === STOP) resolve()
    })
  })
}
