import { fileURLToPath } from 'node:url'

const DIES_WITHIN = fileURLToPath(new URL('./dies-within.cjs', import.meta.url))

/** The environment of a process that kills itself where a file tells it to; maps of the sources, since the order names their files. */
export function dyingBy(orderFile: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--enable-source-maps --require ${DIES_WITHIN}`, KILL9_ORDER: orderFile }
}
