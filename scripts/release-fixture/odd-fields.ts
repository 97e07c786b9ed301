const DAY_MS = 86_400_000
const LONG = 'A note that goes on and on, as those of people do who write down all that they saw. '.repeat(5)

/** Values as users invent them, of every type in one field. */
const ODD: readonly unknown[] = [
  1,
  '1',
  null,
  true,
  false,
  [1, [2, [3]], 'x'],
  [[1, 2], [3], []],
  { a: null, b: [{ c: 1 }, { c: [2, 3] }, 4] },
  [],
  {},
  'ünïcødé Å 晶体 😀',
  1e300,
  -1e-7,
  0,
  '2024-02-30',
  [{ x: 1, y: 'a' }, { x: [2, { y: 3 }] }, null],
  [null],
  'B',
  'a',
  9007199254740991,
]

/** Fields that no schema names, for the record with this number. */
export function oddFields(i: number): Record<string, unknown> {
  return {
    score: ((i * 37) % 101) / 4,
    series: i % 7,
    ...(i % 3 === 0 ? {} : { odd: ODD[i % ODD.length] }),
    measured: new Date(Date.UTC(2021, 0, 1) + i * 11 * DAY_MS).toISOString().slice(0, i % 2 === 0 ? 10 : undefined),
    ...(i % 5 === 0 ? { note: `${LONG}${i % 10}` } : { note: `short ${i % 4}` }),
    ...(i % 4 === 0 ? { spectrum: Array.from({ length: 12 }, (_, k) => (k * (i + 1)) % 17) } : {}),
    ...(i % 6 === 0 ? { bands: [[0.1 * i, 1, 2], [3, 4, 5], []] } : {}),
    ...(i % 8 === 0 ? { Größe: { 'in cm': i, '': 'empty name', 'a.b': 'dotted' } } : {}),
    runs: Array.from({ length: i % 4 }, (_, k) => ({
      code: k % 2 === 0 ? 'vasp' : 'qe',
      energy: -i - k / 8,
      ok: k !== 1,
    })),
    ...(i === 17 ? { sparse: { only: { here: ['once'] } } } : {}),
  }
}

/** Tags for the record with this number. */
export function tagsFor(i: number): string[] {
  return ['sorted', i % 2 === 0 ? 'even' : 'odd', ...(i % 9 === 0 ? ['räre', 'sorted'] : [])]
}
