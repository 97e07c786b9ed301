import type { Command } from 'commander'
import { VERSION } from '../../kernel/project-files.ts'
import { print, printJson } from '../console/output.ts'

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('Print the version.')
    .option('--json', 'print {"quarry", "node"} as JSON')
    .action(({ json }: { readonly json?: boolean }) => {
      if (json) printJson({ quarry: VERSION, node: process.versions.node })
      else print(`quarry ${VERSION}`)
    })
}
