import { Bands } from '../bands.ts'
import type { Energies } from '../energies.ts'
import { bandsBlock } from './bands-block.ts'
import { readTags } from './header-blocks.ts'
import { type LineBlock, numbersIn, rowsOf, vectorFrom } from './line-block.ts'
import type { OutcarReport } from './outcar-report.ts'
import type { LineUse, Rule } from './rules.ts'
import type { OutcarStep } from './step.ts'
import { ENTROPY, endBlock, sumsBlock, termsBlock } from './step-blocks.ts'

/** Rules for iterations, and for what an ionic step says at its end. */
export function stepRules(report: OutcarReport): readonly Rule[] {
  const { limits } = report
  /** The step that a line is of: what stands behind the end of a step is of it too. */
  const ofStep = (take: (step: OutcarStep) => LineUse): LineUse => {
    const step = report.current ?? report.last
    return step === null ? 'other' : take(step)
  }
  return [
    ['Iteration', (line) => takeIteration(line, report)],
    ['Free energy of the ion-electron system', () => ofStep((step) => terms(step, limits.numbers))],
    [
      'FREE ENERGIE OF THE ION-ELECTRON SYSTEM',
      () => ofStep((step) => endBlock((energies) => (step.energies = energies))),
    ],
    ['energy without entropy', (line) => (ENTROPY.test(line) ? 'used' : 'other')],
    ['E-fermi :', (line) => ofStep((step) => fermi(line, step, report))],
    ['FORCE on cell', () => stressTerms(report)],
    ['in kB', (line) => ofStep((step) => takeStress(line, step))],
    ['external pressure =', (line) => ofStep((step) => takePressure(line, step))],
    ['VOLUME and BASIS-vectors are now', () => 'used'],
    ['direct lattice vectors', () => vectors(report)],
    ['TOTAL-FORCE (eV/Angst)', () => ofStep((step) => forces(step, limits.atoms))],
    ['magnetization (', (line) => ofStep((step) => moments(line, step, limits.atoms))],
    ['total charge', (line) => charges(line, report)],
    ['number of electron', (line) => ofStep((step) => takeMagnetization(line, step))],
    [
      'cpu time',
      (line) => {
        if (!/:\s*cpu time/.test(line)) return 'other'
        report.unused.count('times of parts', '')
        return 'used'
      },
    ],
    ['aborting loop', (line) => ofStep((step) => takeConvergence(line, step))],
    [
      'reached required accuracy',
      () => {
        report.areIonsAtRest = true
        return 'used'
      },
    ],
    [
      'IVDW',
      (line) => {
        if (!/^\s*IVDW\s*=/.test(line)) return 'other'
        readTags(line, report.tags)
        return 'used'
      },
    ],
    ['Edisp (eV)', (line) => ofStep((step) => takeDispersion(line, step))],
  ]
}

function takeIteration(line: string, report: OutcarReport): 'used' | 'other' {
  const [, , electronic] = /Iteration\s*([\d*]+)\s*\(\s*([\d*]+)\s*\)/.exec(line) ?? []
  if (electronic === undefined) return 'other'
  if (Number(electronic) === 1 || report.current === null) report.beginStep()
  return 'used'
}

function terms(step: OutcarStep, most: number): LineBlock {
  return termsBlock((found: Energies, free) => {
    step.terms = found
    if (free !== null && step.electronic.length < most) step.electronic.push(free)
  })
}

function fermi(line: string, step: OutcarStep, report: OutcarReport): LineBlock {
  const [, value] = /E-fermi :\s*(\S+)/.exec(line) ?? []
  step.fermi = numbersIn(value ?? '')?.[0] ?? null
  step.bands = new Bands(report.kPoints.points.length > 0 ? report.kPoints : null, report.limits.numbers)
  return bandsBlock(step.bands)
}

/** Most lines of the table of what the stress is made of. */
const MOST_STRESS_TERMS = 40

/** Table of what the stress is made of, up to the sum. */
function stressTerms(report: OutcarReport): LineBlock {
  let count = 0
  return {
    take: (line) => {
      if (/in kB/.test(line) || count++ > MOST_STRESS_TERMS) return false
      report.unused.count('terms of the stress', '')
      return true
    },
  }
}

/** `XX YY ZZ XY YZ ZX`. */
function takeStress(line: string, step: OutcarStep): 'used' | 'other' {
  const numbers = numbersIn(line.replace(/^.*in kB/, ''))
  if (numbers?.length !== 6) return 'other'
  const [xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0] = numbers
  step.stress = [
    [xx, xy, zx],
    [xy, yy, yz],
    [zx, yz, zz],
  ]
  return 'used'
}

function takePressure(line: string, step: OutcarStep): 'used' | 'other' {
  const [, value] = /external pressure =\s*(\S+)\s*kB/.exec(line) ?? []
  const pressure = numbersIn(value ?? '')?.[0]
  if (pressure === undefined) return 'other'
  step.pressure = pressure
  return 'used'
}

/** Lattice vectors of the step that is read; of those before the first step, the last are those at the beginning. */
function vectors(report: OutcarReport): LineBlock {
  return rowsOf({ width: 6, most: 3 }, (rows) => {
    if (rows.length !== 3) return
    const lattice = rows.map((row) => vectorFrom(row, 0))
    if (report.current !== null) report.current.vectors = lattice
    else if (report.last === null) report.vectors = lattice
  })
}

function forces(step: OutcarStep, most: number): LineBlock {
  return rowsOf({ width: 6, most }, (rows) => {
    step.places = rows.map((row) => vectorFrom(row, 0))
    step.forces = rows.map((row) => vectorFrom(row, 3))
  })
}

function moments(line: string, step: OutcarStep, most: number): LineUse {
  const [, axis] = /^\s*magnetization \(([xyz])\)\s*$/.exec(line) ?? []
  if (axis !== 'x' && axis !== 'y' && axis !== 'z') return 'other'
  return sumsBlock((sums) => step.moments.set(axis, sums), most)
}

function charges(line: string, report: OutcarReport): LineUse {
  if (line.trim() !== 'total charge') return 'other'
  return sumsBlock((sums) => report.unused.count('total charge of atoms', sums.join(' ')), report.limits.atoms)
}

function takeMagnetization(line: string, step: OutcarStep): 'used' | 'other' {
  const [, , value] = /^\s*number of electron\s+(\S+)\s+magnetization(.*)$/.exec(line) ?? []
  if (value === undefined) return 'other'
  step.magnetization = numbersIn(value) ?? []
  return 'used'
}

function takeConvergence(line: string, step: OutcarStep): 'used' | 'other' {
  if (!line.includes('EDIFF')) return 'other'
  step.areElectronsConverged = line.includes('is reached')
  return 'used'
}

function takeDispersion(line: string, step: OutcarStep): 'used' | 'other' {
  const energy = numbersIn(line.replace(/^.*Edisp \(eV\)\s*:?/, ''))?.[0]
  if (energy === undefined) return 'other'
  step.dispersion = energy
  return 'used'
}
