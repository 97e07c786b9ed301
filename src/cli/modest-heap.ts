import { setFlagsFromString } from 'node:v8'

/** How much of garbage may come to what is in use before it is collected, in percent. */
const GROWING_PERCENT = 100

/**
 * Has garbage collected early. V8 lets a heap grow to four times of what is in use where memory is plenty: with a thousand connections
 * at once that is a gigabyte of nothing. Under such a load it costs more collections, each of which the requests of that moment wait for.
 */
export function keepHeapModest(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
}
