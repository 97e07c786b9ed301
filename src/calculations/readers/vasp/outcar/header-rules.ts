import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import { readCount } from '../../../../structure/formats/common/text.ts'
import type { Matrix3 } from '../../../../structure/linear-algebra.ts'
import { readIncarLine } from '../incar.ts'
import { matrixOfRows } from '../structure.ts'
import { potentialsBlock, readTags, tagsBlock } from './header-blocks.ts'
import { isRule, type LineBlock, numbersIn, rowsOf, vectorFrom } from './line-block.ts'
import type { OutcarReport } from './outcar-report.ts'
import type { Rule } from './rules.ts'

/** Rules for the part before the first iteration. */
export function headerRules(report: OutcarReport): readonly Rule[] {
  return [
    ['executed on', (line) => takeTimeOfStart(line, report)],
    ['INCAR:', (line) => (/^\s*INCAR:/.test(line) ? incarBlock(report) : 'other')],
    ['POTCAR:', () => potentials(report)],
    [
      'KPOINTS:',
      (line) => {
        report.unused.count('KPOINTS', line.slice(line.indexOf(':') + 1).trim())
        return 'used'
      },
    ],
    ['energy of atom', () => countPotentialLine(report)],
    ['kinetic energy error for atom', () => countPotentialLine(report)],
    ['Automatic generation of k-mesh', () => takeWay(report, false)],
    ['nterpolating k-points between supplied coordinates', () => takeWay(report, true)],
    ['generate k-points for:', (line) => takeGrid(line, report)],
    ['Following reciprocal coordinates', () => rowsOf({ width: 4, most: Infinity, titles: 1 }, () => {})],
    ['Following cartesian coordinates', () => rowsOf({ width: 4, most: Infinity, titles: 1 }, () => {})],
    ['k-points in units of 2pi/SCALE', () => rowsOf({ width: 4, most: Infinity }, () => {})],
    ['k-points in reciprocal lattice and weights', () => kPoints(report)],
    ['NIONS =', (line) => takeNumberOfAtoms(line, report)],
    ['ions per type =', (line) => countsBlock(line, report)],
    [
      'SYSTEM =',
      (line) => {
        if (!/^\s*SYSTEM =/.test(line)) return 'other'
        readTags(line, report.tags)
        return tagsBlock(report.tags)
      },
    ],
    [
      'position of ions in fractional coordinates',
      () =>
        rowsOf({ width: 3, most: report.limits.atoms }, (rows) => {
          report.fractions ??= rows.map((row) => vectorFrom(row, 0))
        }),
    ],
    ['position of ions in cartesian coordinates', () => rowsOf({ width: 3, most: Infinity }, () => {})],
    ['transformation matrix from SAXIS to cartesian', () => frameBlock((frame) => (report.frame = frame))],
    ['transformation matrix from cartesian coordinates to SAXIS', () => frameBlock(() => {})],
  ]
}

function takeTimeOfStart(line: string, report: OutcarReport): 'used' | 'other' {
  const [, year, month, day, time] = /date\s+(\d{4})\.(\d\d)\.(\d\d)\s+(\d\d:\d\d:\d\d)/.exec(line) ?? []
  if (year === undefined) return 'other'
  report.times = { ...report.times, startedAt: `${year}-${month}-${day}T${time}` }
  return 'used'
}

function incarBlock(report: OutcarReport): LineBlock {
  return {
    take: (line) => {
      if (/^\s*POTCAR:/.test(line) || /-{40}/.test(line)) return false
      readIncarLine(line, report.incar)
      return true
    },
  }
}

const MOST_POTENTIALS = 1000

function potentials(report: OutcarReport): LineBlock {
  return potentialsBlock(
    ({ title, exchange }) => {
      if (title !== undefined && report.titles.length < MOST_POTENTIALS) report.titles.push(title)
      if (exchange !== undefined && report.exchanges.size < MOST_POTENTIALS) report.exchanges.add(exchange)
    },
    () => report.potentialLines++,
  )
}

/** Counts a line that says what the text of a potential does. */
function countPotentialLine(report: OutcarReport): 'used' {
  report.potentialLines++
  return 'used'
}

function takeWay(report: OutcarReport, isLines: boolean): 'used' {
  report.kPoints = { ...report.kPoints, isLines, input: { generation: isLines ? 'lines' : 'automatic' } }
  return 'used'
}

function takeGrid(line: string, report: OutcarReport): 'used' | 'other' {
  const [a, b, c] = numbersIn(line.slice(line.indexOf(':') + 1)) ?? []
  if (a === undefined || b === undefined || c === undefined) return 'other'
  const input = { ...report.kPoints.input, divisions: [a, b, c] }
  report.kPoints = { ...report.kPoints, isLines: false, grid: [a, b, c], input }
  return 'used'
}

function kPoints(report: OutcarReport): LineBlock {
  const most = Math.floor(report.limits.numbers / 4)
  return rowsOf({ width: 4, most }, (rows) => {
    // A list that is cut would give gaps to other k-points than it says.
    const whole = rows.length > most ? [] : rows
    report.kPoints = {
      ...report.kPoints,
      points: whole.map((row) => vectorFrom(row, 0)),
      weights: whole.map((row) => row[3] ?? 0),
    }
  })
}

function takeNumberOfAtoms(line: string, report: OutcarReport): 'other' {
  const count = readCount(/NIONS =\s*(\d+)/.exec(line)?.[1]) ?? 0
  if (count <= report.limits.atoms) return 'other'
  const message = `The output has ${count} atoms; at most ${report.limits.atoms} can be stored.`
  throw refusal(FORMAT_ERRORS.tooManyAtoms, message, { hint: 'Store a smaller cell.' })
}

/** Numbers of atoms of the kinds, ten on a line. */
function countsBlock(line: string, report: OutcarReport): LineBlock {
  const takeCounts = (text: string): boolean => {
    const counts = text.trim().split(/\s+/).map(readCount)
    const isWhole =
      counts.every((count) => count !== undefined) && counts.length + report.counts.length <= MOST_POTENTIALS
    if (isWhole) report.counts = [...report.counts, ...counts.map((count) => count ?? 0)]
    return isWhole
  }
  report.counts = []
  takeCounts(line.slice(line.indexOf('=') + 1))
  return { take: takeCounts }
}

/** Rows as `0.4082483 m_x    -0.7071068 m_y     0.5773503 m_z`. */
function frameBlock(take: (frame: Matrix3 | null) => void): LineBlock {
  const rows: (readonly number[])[] = []
  return {
    take: (line) => {
      const numbers = /m_x/.test(line) ? numbersIn(line.replace(/m_[xyz]/g, ' ')) : null
      if (numbers === null) return rows.length === 0 && isRule(line)
      rows.push(numbers)
      if (rows.length === 3) take(matrixOfRows(rows))
      return rows.length <= 3
    },
  }
}
