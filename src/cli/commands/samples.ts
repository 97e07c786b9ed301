import type { Command } from 'commander'
import { addSamples } from '../../app/first-start.ts'
import type { Services } from '../../app/open-services.ts'
import { SAMPLES_USER_ID } from '../../records/samples/owner.ts'
import { type RemovedSamples, removeSamples } from '../../records/samples/remove-samples.ts'
import { operatorSession } from '../console/operator-session.ts'
import { type ProgressBar, print, printJson, tell, withProgress } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface SamplesFlags extends DataFlags {
  readonly json?: boolean
}

/** Adds `quarry samples`: the library of well-known crystals, methods and calculations, which a new data directory gets by itself. */
export function addSamplesCommand(program: Command): void {
  const samples = program
    .command('samples')
    .description('Add or remove the library of well-known crystals, methods and calculations, as public records.')

  withDataFlags(samples.command('add'))
    .description('Add those samples that are not there. Run it again when it was interrupted: it goes on where it was.')
    .option('--json', 'print {"added", "present"} as JSON')
    .action(add)

  withDataFlags(samples.command('remove'))
    .description(
      'Remove the samples for good, but those that were changed, which it names. Copies in other accounts stay. Run it again when ' +
        'it was interrupted: it goes on where it was.',
    )
    .option('--json', 'print {"removed", "left"} as JSON')
    .action(remove)
}

async function add(flags: SamplesFlags): Promise<void> {
  const { stored, present } = await withProgress('adding samples', (update) =>
    withServices(flags, (services) => addSamples(services, update)),
  )
  if (flags.json) return printJson({ added: stored, present })
  print(`added ${stored} samples${present === 0 ? '' : `; ${present} were there already`}`)
}

async function remove(flags: SamplesFlags): Promise<void> {
  const { removed, left } = await withProgress('removing samples', (update) =>
    withServices(flags, (services) => removeAll(services, update)),
  )
  if (flags.json) return printJson({ removed, left: left.map(({ id, ...record }) => ({ _id: id, ...record })) })
  print(`removed the samples: ${removed} records`)
  for (const { collection, id, name, reason } of left) {
    tell(`left ${collection}/${id} (${name}): ${reason === 'changed' ? 'it was changed' : 'it is none of the library'}`)
  }
}

/** There is nothing to remove where there is no account of the samples. */
async function removeAll({ accounts, records }: Services, update: ProgressBar['update']): Promise<RemovedSamples> {
  const owner = await accounts.store.findUser(SAMPLES_USER_ID)
  if (owner === null) return { removed: 0, left: [] }
  return removeSamples(records, await operatorSession(accounts, owner.name), update)
}
