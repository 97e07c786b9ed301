import { SIGNALS } from './exit-code.ts'
import { endWith } from './output.ts'

/**
 * Does work that can be run again, and has a signal that ends the process say how far it has come. Nothing has to be put in order: what was acknowledged is on disk.
 */
export async function untilInterrupted<T>(tellHowFar: () => void, work: () => Promise<T>): Promise<T> {
  const endings = Object.entries(SIGNALS).map(([signal, number]) => {
    const end = () => {
      tellHowFar()
      endWith(128 + number)
    }
    process.once(signal, end)
    return () => process.off(signal, end)
  })
  try {
    return await work()
  } finally {
    for (const takeBack of endings) takeBack()
  }
}
