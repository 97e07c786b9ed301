import { describe, expect, test } from 'vitest'
import { overlapped } from '../../src/records/import/import-records.ts'

async function* numbers(count: number, seen: number[] = []): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) {
    seen.push(number)
    yield number
  }
}

/** Work that is done when the test says so. */
function heldWork<Result>() {
  const held = new Map<number, (result: Result) => void>()
  return {
    held,
    work: (number: number) => new Promise<Result>((resolve) => held.set(number, resolve)),
    end(number: number, result: Result): void {
      held.get(number)?.(result)
      held.delete(number)
    },
  }
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = []
  for await (const value of values) list.push(value)
  return list
}

describe('overlapped work', () => {
  test('gives its results in order, whichever is done first', async () => {
    const { held, work, end } = heldWork<number>()
    const results = all(overlapped(numbers(6), 3, work))
    for (const [first, second, third] of [
      [1, 2, 3],
      [4, 5, 6],
    ] as const) {
      await expect.poll(() => held.size).toBe(3)
      for (const number of [third, second, first]) end(number, number * 10)
    }
    expect(await results).toEqual([10, 20, 30, 40, 50, 60])
  })

  test('is under way for so many at a time and no more', async () => {
    const { held, work, end } = heldWork<number>()
    const seen: number[] = []
    const results = all(overlapped(numbers(20, seen), 4, work))
    for (let number = 1; number <= 20; number++) {
      await expect.poll(() => [...held.keys()]).toEqual([0, 1, 2, 3].map((n) => number + n).filter((n) => n <= 20))
      end(number, number)
    }
    expect(await results).toEqual(seen)
  })

  test('gives a result before the next thing has come', async () => {
    let arrive = (): void => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    async function* slowly(): AsyncGenerator<number> {
      yield 1
      await arrival
      yield 2
    }
    const results = overlapped(slowly(), 4, async (number) => number)
    expect(await results.next()).toEqual({ done: false, value: 1 })
    arrive()
    expect(await all(results)).toEqual([2])
  })

  test('gives all that came of a source before the source failed', async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 1
      yield 2
      throw new Error('the source')
    }
    const given: number[] = []
    const { held, work, end } = heldWork<number>()
    const reading = async () => {
      for await (const number of overlapped(failing(), 4, work)) given.push(number)
    }
    const read = expect(reading()).rejects.toThrow('the source')
    await expect.poll(() => held.size).toBe(2)
    for (const number of [2, 1]) end(number, number)
    await read
    expect(given).toEqual([1, 2])
  })

  test('fails when the turn of the failure has come, with what came before it given', async () => {
    const given: number[] = []
    const work = async (number: number) => {
      if (number === 3) throw new Error('third')
      return number
    }
    const run = async () => {
      for await (const value of overlapped(numbers(5), 5, work)) given.push(value)
    }
    await expect(run()).rejects.toThrow('third')
    expect(given).toEqual([1, 2])
  })

  test('takes nothing more once nobody wants more', async () => {
    const seen: number[] = []
    for await (const value of overlapped(numbers(100, seen), 2, async (number) => number)) if (value === 3) break
    expect(seen.length).toBeLessThan(8)
  })
})
