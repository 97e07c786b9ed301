import { AppError } from '../../../src/kernel/errors.ts'
import { HandedOver, serveTasks } from '../../../src/kernel/worker-channel.ts'

const ERROR = { code: 42201, title: 'an error of a test' }

export const BUSY_TASKS = {
  double: (input: { readonly value: number }) => input.value * 2,
  later: async (input: { readonly value: number }) => {
    await new Promise((resolve) => setImmediate(resolve))
    return input.value
  },
  bytes: (input: { readonly length: number }) => {
    const bytes = new Uint8Array(input.length)
    return new HandedOver(bytes, [bytes.buffer])
  },
  refuse: (input: { readonly path: string }) => {
    throw new AppError(ERROR, 'It is refused.', { path: input.path })
  },
  fail: () => {
    throw new TypeError('a bug')
  },
  spin: (input: { readonly ms: number }) => {
    const end = performance.now() + input.ms
    while (performance.now() < end);
    return 'done'
  },
  grow: () => {
    const all: unknown[] = []
    for (;;) all.push(new Array(1000).fill(all.length))
  },
  exit: () => process.exit(3),
}

serveTasks(BUSY_TASKS)
