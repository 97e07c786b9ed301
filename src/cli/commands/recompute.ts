import type { Command } from 'commander'
import type { Services } from '../../app/open-services.ts'
import { type DataRecomputed, recomputeData } from '../../app/recompute-data.ts'
import { EXIT } from '../console/exit-code.ts'
import { untilInterrupted } from '../console/interruption.ts'
import { kindNamed } from '../console/operator-session.ts'
import { lowerPriority, print, tell, withProgress } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface RecomputeFlags extends DataFlags {
  readonly kind?: string
  readonly missing?: boolean
  readonly json?: boolean
}

/** Adds `quarry recompute`: computes anew what follows from the records. */
export function addRecomputeCommand(program: Command): void {
  withDataFlags(program.command('recompute'))
    .description(
      'Compute the fields anew that follow from the records, such as formula and space group, for instance after an update of Quarry ' +
        'that computes more, or with other settings. A record is written only where something has changed; what people wrote stays, ' +
        'with its times and its history. A server may go on meanwhile. When it is interrupted, run it again: it goes on where it was.',
    )
    .option('--kind <kind>', 'only records of this kind, such as materials (default: all kinds)')
    .option('--missing', 'keep the space groups that are known, and look for those that are not, which is faster')
    .option('--json', 'print {"seen", "changed", "failed", "withoutSymmetry"} as JSON')
    .action(recompute)
}

async function recompute(flags: RecomputeFlags): Promise<void> {
  lowerPriority()
  let counts: RecomputedCounts = { seen: 0, changed: 0, failed: 0, withoutSymmetry: 0 }
  const look = ({ seen, changed, failed, withoutSymmetry }: DataRecomputed) => {
    counts = { seen, changed, failed, withoutSymmetry }
  }
  const tellHowFar = () => {
    print(flags.json ? JSON.stringify({ outcome: 'interrupted', ...counts }) : `interrupted: ${describe(counts)}`)
    tell('Run the same again to go on.')
  }
  await untilInterrupted(tellHowFar, () => withServices(flags, (services) => recomputeAll(services, flags, look)))
  print(flags.json ? JSON.stringify(counts) : describe(counts))
  if (counts.failed > 0) process.exitCode = EXIT.failed
}

type RecomputedCounts = Omit<DataRecomputed, 'total'>

async function recomputeAll(
  services: Services,
  { kind, missing }: RecomputeFlags,
  look: (state: DataRecomputed) => void,
): Promise<void> {
  const kinds = kind === undefined ? services.kinds : [kindNamed(services, kind)]
  let isFirst = true
  await withProgress('recomputing', async (update) => {
    for await (const state of recomputeData(services, { kinds, keepsSymmetry: missing === true })) {
      look(state)
      if (isFirst && state.seen > 0) tell(`going on after ${state.seen} of ${state.total} records`)
      isFirst = false
      update(state.seen, state.total)
    }
  })
}

function describe({ seen, changed, failed, withoutSymmetry }: RecomputedCounts): string {
  const without = withoutSymmetry === 0 ? '' : `, ${withoutSymmetry} without symmetry`
  const faulty = failed === 0 ? '' : `, ${failed} could not be computed`
  return `${seen} records looked at, ${changed} changed${without}${faulty}`
}
