/**
 * Works on several things at a time, at most `most`, and gives what comes of them in their order, each as soon as it is there. A source
 * that fails does so after what it gave before. What is under way when the work on one fails, or when nobody wants more, is left to
 * end by itself.
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
        const input: Input | typeof NO_MORE = await nextOf(coming as Promise<IteratorResult<Input>>, (failed) => {
          underWay.push(quiet(failed))
        })
        coming = null
        if (input === NO_MORE) isOver = true
        else underWay.push(quiet(work(input)))
      }
    }
  } finally {
    await inputs.return?.()
  }
}

const NO_MORE = Symbol('no more')

/** What has come; a source that fails is over, and its failure is what comes last. */
async function nextOf<Input>(
  coming: Promise<IteratorResult<Input>>,
  failLast: (failed: Promise<never>) => void,
): Promise<Input | typeof NO_MORE> {
  try {
    const input = await coming
    return input.done === true ? NO_MORE : input.value
  } catch (error) {
    failLast(Promise.reject(error))
    return NO_MORE
  }
}

const isInput = (): 'input' => 'input'

/** Says which of the two is there first; the output when both are. */
function firstOf(output: Promise<unknown> | undefined, input: Promise<unknown> | null): Promise<'output' | 'input'> {
  const tellings = [
    ...(output === undefined ? [] : [output.then(() => 'output' as const)]),
    ...(input === null ? [] : [input.then(isInput, isInput)]),
  ]
  return Promise.race(tellings)
}

/** A failure counts when its turn has come, not as one that nobody handles. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
