import type { Command } from 'commander'
import { print } from '../output.ts'
import { startProgress } from '../progress.ts'
import { type DataFlags, withDataFlags, withServices } from '../with-services.ts'

/** Adds `quarry reindex`: makes what is derived from the documents anew. */
export function addReindexCommand(program: Command): void {
  withDataFlags(program.command('reindex'))
    .description(
      'Make all segments of columns anew from the documents, for instance after `quarry check` has found a fault in them. A server ' +
        'may go on meanwhile: its lists stay right and read what no segment has yet, exports wait until the end. When it is ' +
        'interrupted, run it again, or start the server: it goes on where it was.',
    )
    .action(reindex)
}

async function reindex(flags: DataFlags): Promise<void> {
  const progress = startProgress('indexing')
  await withServices(flags, ({ store }) => store.reindex(progress.update)).finally(progress.end)
  print('indexed')
}
