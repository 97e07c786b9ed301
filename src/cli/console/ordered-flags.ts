import { type Command, InvalidArgumentError, Option } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import { ORDERED, ORDERED_LIMITS, type PrintTerms } from '../../records/kinds/material/print-material.ts'
import { CLI_ERRORS } from './errors.ts'

/** Flags for making a disordered crystal an ordered one. */
export interface OrderedFlags {
  readonly ordered?: (typeof ORDERED)[number]
  readonly maxAtoms?: number
  readonly seed?: number
}

const { usualAtoms, mostAtoms, usualSeed, mostSeed } = ORDERED_LIMITS

/** The flag that says how, which a command can do more with. */
export function orderedFlag(): Option {
  return new Option(
    '--ordered <how>',
    'of a disordered crystal: majority, the most frequent species of each site, or supercell, shares as counts in a larger cell, by chance',
  ).choices(ORDERED)
}

/** Adds the flags of a supercell. */
export function withSupercellTerms(command: Command): Command {
  return command
    .option('--max-atoms <number>', `most atoms of the supercell (default: ${usualAtoms})`, wholeNumber(1, mostAtoms))
    .option(
      '--seed <number>',
      `another seed gives another supercell, the same seed the same (default: ${usualSeed})`,
      wholeNumber(0, mostSeed),
    )
}

/** The terms that the flags stand for; refuses those of a supercell where none is asked for. */
export function orderedTerms({ ordered: how, maxAtoms, seed }: OrderedFlags): PrintTerms['ordered'] {
  if (how === 'supercell') return { how, maxAtoms: maxAtoms ?? usualAtoms, seed: seed ?? usualSeed }
  const extra = maxAtoms !== undefined ? '--max-atoms' : seed !== undefined ? '--seed' : undefined
  if (extra !== undefined) throw new AppError(CLI_ERRORS.usage, `${extra}: it goes with --ordered supercell only.`)
  return how === undefined ? undefined : { how }
}

/** Reads a whole number within a range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
  }
}
