/** Which file of tests runs in which project of vitest, and why. `scripts/projects.mjs` says which command runs a project. */

/** What is the same on every store. */
export const OF_EVERY_STORE = ['test/contract/**/*.test.ts', 'test/http/**/*.test.ts']

/** What is of PostgreSQL alone. */
export const OF_POSTGRES = ['test/**/*postgres*.test.ts']
export const WITHOUT_POSTGRES = ['test/store/postgres-installed.test.ts']

/** Tells in `npm test` whether the page comes up at all. */
export const SMOKE = ['test/browser/smoke.test.ts']

/** The page in a real browser. */
export const OF_THE_PAGE = ['test/browser/**/*.test.ts']

/**
 * What tries gates and tables on copies of the project: it fails where a gate is changed, or a place that a table names. And all questions of the validator of
 * OPTIMADE, of whose filters test/optimade has each by itself.
 */
export const PROOFS = [
  'test/architecture/additions.test.ts',
  'test/architecture/arrows-of-src.test.ts',
  'test/architecture/arrows.test.ts',
  'test/optimade/conformance.test.ts',
]

/** What tries at every address, for 30 processor seconds a file, what others have tried at some: records of others that show nowhere, bodies that are too long. */
export const OF_EVERY_ADDRESS = ['test/http/homes.test.ts', 'test/http/long-bodies.test.ts']

/** Commands, each as a process of its own, and what is between processes: in `npm test`, commands that end share some. */
export const OF_PROCESSES = ['cli', 'clients', 'proxy', 'releases'].map((folder) => `test/${folder}/**/*.test.ts`)

/** Those of them that `npm test` leaves out, each with what it needs that changes seldom and takes many starts. */
export const PROCESSES_ALONE: Readonly<Record<string, string>> = {
  'test/cli/build.test.ts':
    'structures built by command; how they are built is in test/structure-building and test/http',
  'test/cli/change.test.ts': 'changes of many records by command; what they do is in test/http',
  'test/cli/care.test.ts': 'backups, checks and reindexing by command; what they do is in test/app and test/store',
  'test/cli/exports.test.ts': 'exports that another data directory imports; what is in them is in test/http',
  'test/cli/files-in-a-bucket.test.ts': 'commands over a bucket; how one is talked to is in test/store',
  'test/cli/files-of-records.test.ts':
    'files through backups, checks and migrations; what happens to them is in test/contract and test/http',
  'test/cli/full-disk.test.ts': 'a server on a disk that fills up; what the store does then is in test/store',
  'test/cli/large-files.test.ts': 'files that are larger than what may be in memory',
  'test/cli/killed-bulk-changes.test.ts':
    'a server that is killed while it carries out a change of many records, or an import',
  'test/cli/killed-files.test.ts': 'a server that is killed while files are put',
  'test/cli/killed-hulls.test.ts': 'a server that is killed while it writes what follows from energies',
  'test/cli/killed-imports.test.ts': 'an import of calculations that is killed',
  'test/cli/memory.test.ts': 'what a server takes of memory, in a process that does nothing else',
  'test/cli/migrate.test.ts': 'a data directory moved by many commands; how rows move is in test/store',
  'test/cli/ownership.test.ts': 'commands of several users of the system',
  'test/cli/records.test.ts':
    'records in and out by command; how they are read and stored is in test/records and test/http',
  'test/cli/redaction.test.ts': 'what commands and servers print of secrets, which takes many of them',
  'test/cli/samples.test.ts': 'samples by command; how they come and go is in test/records',
  'test/cli/serve.test.ts':
    'a server that begins and ends in every way; that it comes up and answers is in test/browser/smoke and test/http',
  'test/cli/structures.test.ts':
    'fifty commands on structure files; what is read and written is in test/structure-formats and test/records',
  'test/cli/ended-workers.test.ts': 'processes of a server that are killed',
  'test/cli/workers.test.ts': 'a server of several processes',
  'test/clients/python-client.test.ts': 'the client in Python',
  'test/releases/first-release.test.ts': 'a server over the data of a release, which changes seldom',
  'test/proxy/nginx.test.ts': 'a reverse proxy before a server',
}

/** Files that change what others of the same process would see, each with what it changes. */
export const APART: Readonly<Record<string, string>> = {}

/** Suites of HTTP whose answers the store decides: they run on PostgreSQL, too. The others are about what stands before any store. */
export const DECIDED_BY_THE_STORE: Readonly<Record<string, string>> = {
  audit: 'what a request has changed is written with the change',
  bank: 'materials that share a structure are counted with the change, many at once',
  'broken-answers': 'a row that cannot be read breaks an answer off',
  bulk: 'batches are committed while others are read',
  'bulk-portions': 'a portion is committed with how far the change is',
  'bulk-keys': 'what has a key is looked for where it was stored',
  'bulk-changes': 'many records change in one commit or not at all',
  'bulk-recompute': 'what takes the place of a version is written with its history',
  'calculations-in-portions': 'how far an import is comes with the part that is done',
  count: 'what the asker can see is counted where it is kept',
  'disordered-lists': 'conditions on composition are answered from columns',
  distinct: 'values are read from dictionaries and documents',
  events: 'a stream hears of the commits of other processes',
  exports: 'an archive is read from a snapshot of the store',
  faults: 'a failure of the store, which each store has in its way',
  history: 'versions are kept and pruned by the store',
  homes: 'ids, counters and tags are of one home',
  hulls: 'what follows from energies is found by derived fields and marks of homes',
  'idempotency-key': 'keys are taken by one of many that come at once',
  imports: 'batches are written while others are read',
  'interrupted-imports': 'a store that takes no more ends a load',
  leaks: 'what is private shows in no order, page, count or collision',
  'like-materials': 'candidates are found by columns',
  list: 'filters, order, pages and fields are answered by the store',
  'material-parameters': 'parameters become conditions on columns',
  metrics: 'the figures are of the store that runs',
  organizations: 'members and accounts are kept by the store',
  origins: 'what was made of a record is found by the store',
  paging: 'cursors lean on the order of the store',
  'property-questions': 'what materials show is found by columns and documents',
  quotas: 'processor time of the store is counted',
  records: 'versions, tags and If-Match are held by the commit',
  remembered: 'answers are remembered for as long as the store says that nothing changed',
  'saved-queries': 'a text is kept as it was written',
  session: 'failed logins are counted by all processes',
  sets: 'members of a set are numbered as they come, many at once',
  'shared-ids': 'one id may be of several homes hulls, and public once',
  stations: 'a store that answers at once has a shorter way',
  'storage-quotas': 'what an account has stored is counted with the change',
  surveys: 'facets and points are read from columns',
  tokens: 'what was revoked is dead in the next request',
  turns: 'a query that takes long lets others in',
  verbs: 'one default of an account, whoever comes at once',
  warnings: 'which fields there are is known to the store',
  'whole-exports': 'records and what belongs to them are streamed by the store',
}
