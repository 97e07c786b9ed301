import { buildProgram } from '../../src/cli/program.ts'
import { cliPage } from './cli-page.ts'
import { readCatalogue } from './error-catalogue.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage, readEvents } from './events-page.ts'
import { metricsPage, readFigures } from './metrics-page.ts'
import { settingsPage } from './settings-page.ts'
import { readWarnings, warningsPage } from './warnings-page.ts'

/** The pages of `docs/reference` that are written from the code, by file name. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  return {
    'configuration.md': settingsPage(),
    'cli.md': cliPage(buildProgram()),
    'errors.md': errorsPage(await readCatalogue()),
    'events.md': eventsPage(await readEvents()),
    'metrics.md': metricsPage(await readFigures()),
    'warnings.md': warningsPage(await readWarnings()),
  }
}
