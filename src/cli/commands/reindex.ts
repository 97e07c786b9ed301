import type { Command } from 'commander'
import { print } from '../output.ts'
import { startProgress } from '../progress.ts'
import { type DataFlags, withDataFlags, withServices } from '../with-services.ts'

/** Adds `quarry reindex`: makes what is derived from the documents anew. */
export function addReindexCommand(program: Command): void {
  withDataFlags(program.command('reindex'))
    .description(
      'Derive the indexes from the documents anew, for instance after `quarry check` has found a fault in them. A server may go on ' +
        'meanwhile: its answers stay right, but queries read all documents until the end. When it is interrupted, run it again: ' +
        'it goes on where it was.',
    )
    .action(reindex)
}

async function reindex(flags: DataFlags): Promise<void> {
  const progress = startProgress('indexing')
  await withServices(flags, ({ store }) => store.reindex(progress.update)).finally(progress.end)
  print('indexed')
}
