import type { Command } from 'commander'
import { queryBounds } from '../../app/compose.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { explainRecords } from '../../records/use-cases/read-records.ts'
import { isWithoutMatches, listWarnings } from '../../records/warnings/field-guide.ts'
import { kindNamed, operatorSession } from '../console/operator-session.ts'
import { printJson, tellWarnings } from '../console/output.ts'
import { configOf, type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface ExplainFlags extends DataFlags {
  readonly user: string
  readonly kind: string
  readonly query: string
  readonly projection: string
}

/** Adds `quarry explain`: how a query is run. */
export function addExplainCommand(program: Command): void {
  withDataFlags(program.command('explain'))
    .description(
      'Run a query as a user and print how it was run, as JSON: how many homes, segments, and records beside segments were asked, ' +
        'how many columns were looked at and how many of them had to be read first, how many records columns told of, ' +
        'for how many documents were read because columns could not tell, and the milliseconds of each station.',
    )
    .requiredOption('--user <name>', 'the user whose records, and the public ones, are searched')
    .option('--kind <kind>', 'which records', 'materials')
    .option('--query <json>', 'a MongoDB query', '{}')
    .option('--projection <json>', 'order and page, as in the API', '{}')
    .action(explain)
}

async function explain(flags: ExplainFlags): Promise<void> {
  const request = readRequest(flags)
  const explanation = await withServices(flags, async (services) => {
    const session = await operatorSession(services.accounts, flags.user)
    const collection = { deps: services.records, kind: kindNamed(services, flags.kind), session }
    const explained = await explainRecords(collection, request)
    const isEmpty = isWithoutMatches(request, explained.count)
    tellWarnings(await listWarnings(collection, request, isEmpty))
    return explained
  })
  printJson(explanation)
}

/** Reads the query before the data directory is opened: what is wrong with a command should not depend on the data. */
function readRequest(flags: ExplainFlags): ListRequest {
  const bounds = queryBounds(configOf(flags))
  const filter = parseFilter(parseQueryText(flags.query, bounds, '--query'), bounds, '--query')
  const projection = parseQueryText(flags.projection, bounds, '--projection')
  return { filter, ...parseProjection(projection, bounds, '--projection', filter) }
}
