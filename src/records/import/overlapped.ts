/**
 * Works on several things at a time, at most `most`, and gives what comes of them in their order, each as soon as it is there. What
 * is under way when one fails, or when nobody wants more, is left to end by itself.
 */
export async function* overlapped<Input, Output>(
  source: AsyncIterable<Input>,
  most: number,
  work: (input: Input) => Promise<Output>,
): AsyncGenerator<Output> {
  const inputs = source[Symbol.asyncIterator]()
  const underWay: Promise<Output>[] = []
  let coming: Promise<IteratorResult<Input>> | null = null
  let isOver = false
  try {
    for (;;) {
      if (coming === null && !isOver && underWay.length < most) coming = quiet(inputs.next())
      const [oldest] = underWay
      if (oldest === undefined && coming === null) return
      const isReady = await firstOf(oldest, coming)
      if (isReady === 'output') {
        yield await (underWay.shift() as Promise<Output>)
      } else {
        const input: IteratorResult<Input> = await (coming as Promise<IteratorResult<Input>>)
        coming = null
        if (input.done === true) isOver = true
        else underWay.push(quiet(work(input.value)))
      }
    }
  } finally {
    await inputs.return?.()
  }
}

/** Says which of the two is there first; the output when both are. */
function firstOf(output: Promise<unknown> | undefined, input: Promise<unknown> | null): Promise<'output' | 'input'> {
  const tellings = [
    ...(output === undefined ? [] : [output.then(() => 'output' as const)]),
    ...(input === null ? [] : [input.then(() => 'input' as const)]),
  ]
  return Promise.race(tellings)
}

/** A failure counts when its turn has come, not as one that nobody handles. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
