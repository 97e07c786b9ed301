import { defineMetrics } from '../kernel/metrics.ts'

export const STORE_METRICS = defineMetrics({
  pages: {
    name: 'quarry_pages_total',
    kind: 'counter',
    title:
      'Pages of lists that were read from the store, by the thread that found them; those that were remembered are not among them.',
    labels: ['thread'],
  },
  columns: { name: 'quarry_columns_read_total', kind: 'counter', title: 'Columns of segments that pages looked at.' },
  columnsLoaded: {
    name: 'quarry_columns_loaded_total',
    kind: 'counter',
    title: 'Columns that had to be read from the database first.',
  },
  documentsRead: {
    name: 'quarry_documents_read_total',
    kind: 'counter',
    title: 'Documents that pages had to look at because columns could not tell.',
  },
  columnBytes: {
    name: 'quarry_column_bytes',
    kind: 'gauge',
    title: 'Memory of the columns that the request thread has at hand, and of what was worked out from them.',
  },
  segments: { name: 'quarry_segments', kind: 'gauge', title: 'Segments of records that there are.', together: 'first' },
  tail: {
    name: 'quarry_tail_records',
    kind: 'gauge',
    title: 'Records that no segment holds in their present version.',
    together: 'first',
  },
  longReads: {
    name: 'quarry_long_reads_total',
    kind: 'counter',
    title: 'Pages and counts that took too long for the request thread and went to a reader thread.',
  },
  timeOuts: {
    name: 'quarry_time_outs_total',
    kind: 'counter',
    title: 'Pages and counts that were given up at their time budget.',
  },
  readerThreads: { name: 'quarry_reader_threads', kind: 'gauge', title: 'Reader threads that there are.' },
  readersBusy: { name: 'quarry_readers_busy', kind: 'gauge', title: 'Reader threads that have something to read.' },
  readersWaiting: { name: 'quarry_readers_waiting', kind: 'gauge', title: 'Long reads that wait for a reader thread.' },
  writerWaiting: {
    name: 'quarry_writer_waiting',
    kind: 'gauge',
    title: 'Writes that wait for the writer, or are being written.',
  },
  writes: { name: 'quarry_writes_total', kind: 'counter', title: 'Writes that the writer was asked for.' },
  writesFailed: { name: 'quarry_writes_failed_total', kind: 'counter', title: 'Writes that the storage did not take.' },
  filesRemoved: {
    name: 'quarry_files_removed_total',
    kind: 'counter',
    title: 'Contents of files that were removed, because nothing had named them for a day.',
  },
  fileBytesRemoved: {
    name: 'quarry_file_bytes_removed_total',
    kind: 'counter',
    title: 'Their bytes.',
  },
  databaseBytes: { name: 'quarry_database_bytes', kind: 'gauge', title: 'The size of quarry.db.', together: 'first' },
  logBytes: { name: 'quarry_wal_bytes', kind: 'gauge', title: 'The size of its write-ahead log.', together: 'first' },
  freeBytes: {
    name: 'quarry_disk_free_bytes',
    kind: 'gauge',
    title: 'Free space where the database is.',
    together: 'first',
  },
  writable: {
    name: 'quarry_storage_writable',
    kind: 'gauge',
    title: '1 while writes are taken; 0 while there is damage, an obstacle, too little room, or the last write failed.',
    together: 'first',
  },
})
