import { readFileSync } from 'node:fs'
import { loadProgram } from '../../src/cli/program.ts'
import { ADDITIONS } from '../additions/all-additions.ts'
import { withAdditions } from './additions-section.ts'
import { cliPage } from './cli-page.ts'
import { readCatalogue } from './error-catalogue.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage, readEvents } from './events-page.ts'
import { declaredMetrics, metricsPage } from './metrics-page.ts'
import { withSeams } from './seams-section.ts'
import { settingsPage } from './settings-page.ts'
import { readWarnings, warningsPage } from './warnings-page.ts'

/** The pages that are written from the code, and those of which a part is, from the root of the project. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/architecture/interfaces.md': withSeams(page('docs/architecture/interfaces.md')),
    'docs/architecture/additions.md': withAdditions(page('docs/architecture/additions.md'), ADDITIONS),
    'docs/reference/configuration.md': settingsPage(),
    'docs/reference/cli.md': cliPage(await loadProgram()),
    'docs/reference/errors.md': errorsPage(await readCatalogue()),
    'docs/reference/events.md': eventsPage(await readEvents()),
    'docs/reference/metrics.md': metricsPage(await declaredMetrics()),
    'docs/reference/warnings.md': warningsPage(await readWarnings()),
  }
}

function page(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
}
