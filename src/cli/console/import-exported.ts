import { AppError } from '../../kernel/errors.ts'
import { reportInWordsOf } from '../../page/remedies.ts'
import {
  attachExported,
  type FileReport,
  type RecordWithFiles,
  recordWithFiles,
} from '../../records/exchange/attach-exported.ts'
import type { OpenExport } from '../../records/exchange/exported.ts'
import type { RecordsFile } from '../../records/exchange/manifest.ts'
import { countReport, type ImportItem, type ImportReport } from '../../records/import/import-item.ts'
import { importRecords } from '../../records/import/import-records.ts'
import { readImportItems } from '../../records/import/read-import-items.ts'
import { CLI_ERRORS } from './errors.ts'
import { type ImportRun, type Outcomes, printReport } from './import-output.ts'
import { print, startProgress, tell, withHint } from './output.ts'

type ExportImport = ImportRun & { readonly files: Outcomes }

/** Imports an export: the records of each kind, each followed by its files. */
export async function importExported(exported: OpenExport, run: ExportImport): Promise<void> {
  for (const fault of exported.manifest.faults) tell(`${exported.path}: was not exported: ${fault}`)
  const wanted = run.options.kind?.collection
  for (const records of exported.manifest.records) {
    if (wanted === undefined || wanted === records.collection) await importRecordsFile(exported, records, run)
  }
}

async function importRecordsFile(
  exported: OpenExport,
  { file, collection, count }: RecordsFile,
  run: ExportImport,
): Promise<void> {
  const { records, session, options, json, totals } = run
  const kind = records.work.kinds.find((one) => one.collection === collection)
  if (kind === undefined) throw noSuchKind(exported, collection)
  if (!exported.has(file)) throw incomplete(exported, file)
  const place = `${exported.path}/${file}`
  const progress = startProgress(place)
  const notes = new Map<number, RecordWithFiles>()
  const items = noted(readImportItems(exported.read(file), records.work.limits.bytes), run, notes)
  try {
    for await (const told of importRecords(records, session, items, { ...options, kind })) {
      const report = reportInWordsOf('cli', withoutMadeAnew(told))
      countReport(totals, report)
      progress.update(report.line ?? 0, count)
      if (json) print(JSON.stringify({ file: place, ...report }))
      else printReport(`${place}:${report.line}`, report, run.warnings)
      const note = taken(notes, report)
      if (note === null) continue
      const target = { collection: { deps: records, kind, session }, id: String(report._id) }
      for (const one of await attachExported(target, note, exported)) printFile(place, report, one, run)
    }
  } finally {
    progress.end()
  }
}

/** Fields of an export that are not taken from its records: files come by themselves, and which property is the best follows from all. */
const MADE_ANEW: readonly string[] = ['files', 'isBest']

/** The report without warnings of fields that are made anew. */
function withoutMadeAnew({ warnings = [], ...report }: ImportReport): ImportReport {
  const others = warnings.filter((warning) => !('path' in warning) || !MADE_ANEW.includes(warning.path ?? ''))
  return others.length === 0 ? report : { ...report, warnings: others }
}

/** Passes the records of an export on, and notes which files they have. */
async function* noted(
  items: AsyncIterable<ImportItem>,
  { records }: ExportImport,
  notes: Map<number, RecordWithFiles>,
): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    const note = 'json' in item ? recordWithFiles(item.json, records) : null
    if (note !== null && 'line' in item.place) notes.set(item.place.line, note)
    yield item
  }
}

/** The note on a record that is stored now; null where it has no files, or is refused. */
function taken(notes: Map<number, RecordWithFiles>, { line = 0, outcome }: ImportReport): RecordWithFiles | null {
  const note = notes.get(line) ?? null
  notes.delete(line)
  return outcome === 'refused' ? null : note
}

function printFile(
  place: string,
  { line, collection, _id }: ImportReport,
  told: FileReport,
  { files, json }: ExportImport,
): void {
  const report = reportInWordsOf('cli', told)
  files[report.outcome] += 1
  if (json) print(JSON.stringify({ file: place, line, collection, _id, attached: report }))
  else if (report.error !== undefined) {
    print(`${place}:${line}: ${withHint({ ...report.error.data, message: report.error.message })}`)
  }
}

function noSuchKind({ path }: OpenExport, collection: string): AppError {
  return new AppError(CLI_ERRORS.usage, `${path} has records of a kind that is not known here: ${collection}.`, {
    path: '--kind',
    hint: 'Add the kind first, or import one of the others with --kind.',
  })
}

function incomplete({ path }: OpenExport, file: string): AppError {
  return new AppError(CLI_ERRORS.unreadableFile, `${path} has no ${file}, which its list names.`, {
    hint: 'Export once more.',
  })
}
