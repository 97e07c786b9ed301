import type { Times } from '../../calculation.ts'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const START = /(\d{1,2}) *([A-Za-z]{3}) *(\d{4}) +at +(\d{1,2}): *(\d{1,2}): *(\d{1,2})/

/** When a run began: `Program PWSCF v.6.7 starts on 27Nov2026 at 14:39: 2`. */
export function startIn(text: string): Pick<Times, 'startedAt'> {
  const [, day = '', name = '', year = '', hour = '', minute = '', second = ''] = START.exec(text) ?? []
  const month = MONTHS.indexOf(name.toLowerCase()) + 1
  if (month === 0) return {}
  const [mm, dd, hh, min, ss] = [String(month), day, hour, minute, second].map((part) => part.padStart(2, '0'))
  return { startedAt: `${year}-${mm}-${dd}T${hh}:${min}:${ss}` }
}

/** What a run took: `PWSCF : 1m27.57s CPU 1m30.11s WALL`, with `time` behind each in older versions. */
export function durationsIn(text: string): Pick<Times, 'wallSeconds' | 'cpuSeconds'> {
  const cpuEnd = text.search(/CPU/i)
  const wallEnd = text.search(/wall/i)
  const cpu = secondsIn(text.slice(text.indexOf(':') + 1, cpuEnd === -1 ? undefined : cpuEnd))
  const wall = wallEnd === -1 ? undefined : secondsIn(text.slice(cpuEnd + 3, wallEnd))
  return {
    ...(wall === undefined ? {} : { wallSeconds: wall }),
    ...(cpu === undefined ? {} : { cpuSeconds: cpu }),
  }
}

const SECONDS_PER: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 }

function secondsIn(text: string): number | undefined {
  const parts = [...text.slice(0, 60).matchAll(/(\d+(?:\.\d*)?) *([dhms])/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (SECONDS_PER[unit] ?? 0), 0)
}
