/** Ways by which people reach the program, each with words of its own. */
export type Door = 'api' | 'cli' | 'page'

/** Remedy in the words of each door; none where nobody comes to it by that door. `{name}` stands for a value. */
type Words = { readonly api: string } & { readonly [door in 'cli' | 'page']?: string }

const OCCUPANCIES = 'Formats with occupancies: cif, pymatgen, ase, optimade, material.'
const ARCHIVES = '.zip, .tar, .tar.gz, .tgz and .gz'

/** Remedies of refusals, wherever they are said in other words to a program than to a person. */
export const REMEDIES = {
  order: {
    api: `Ask for an ordered one: ordered=majority, or ordered=supercell with maxAtoms and seed. ${OCCUPANCIES}`,
    cli: `Ask for an ordered one: --ordered majority, or --ordered supercell with --max-atoms and --seed. ${OCCUPANCIES}`,
    page: 'Make an ordered one first: “Ordered approximant” under Build. CIF and JSON can say occupancies.',
  },
  orderWithMoreAtoms: {
    api: 'Ask for ordered=supercell with a larger maxAtoms.',
    cli: 'Ask for --ordered supercell with a larger --max-atoms.',
    page: 'Choose a supercell, with more atoms.',
  },
  nameFormat: {
    api: 'Name its format, one of {formats}.',
    cli: 'Name its format with --from or --format, one of {formats}.',
    page: 'If it is one, choose its format.',
  },
  importRun: {
    api: 'POST /jobs/import reads its calculations, by the ticket of a PUT to /uploads/NAME. Its structure alone is in {alone}.',
    cli: '`quarry import` reads its calculations. Its structure alone is in {alone}.',
    page: '“Import” reads its calculations. Its structure alone is in {alone}.',
  },
  leaveFormatOut: {
    api: 'Leave the format out, or name {format}.',
    cli: 'Leave the format out, or name {format}.',
    page: 'Let its format be found, or choose {format}.',
  },
  leaveFrameOut: {
    api: 'Leave the frame out.',
    cli: 'Leave --frame out.',
    page: 'Choose the first frame.',
  },
  chooseFrame: {
    api: 'Frames are counted from 0 to {last}; -1 is the last.',
    cli: 'Write --frame with a number from 0 to {last}; -1 is the last.',
    page: 'Choose a frame from 0 to {last}; -1 is the last.',
  },
  oneFrame: {
    api: 'Send the file in parts, or name one frame.',
    cli: 'Import the file in parts, or one structure of it with --frame.',
    page: 'Import the file in parts, or choose one frame of it.',
  },
  framesByCommand: {
    api: 'Send it in parts, or use `quarry import --frame all`, which takes any number; or name one frame.',
    cli: 'Use --frame all, which takes any number.',
    page: 'Import it in parts, or choose one frame of it; `quarry import --frame all` takes any number.',
  },
  unpack: {
    api: `Unpack it; \`quarry import\`, \`quarry convert\` and POST /materials/import as a form unpack ${ARCHIVES} by their names.`,
    cli: `Unpack it, or give it the name that it should have: ${ARCHIVES} are unpacked by their names.`,
    page: `Unpack it, or give it the name that it should have: ${ARCHIVES} are unpacked by their names.`,
  },
  oneByOne: {
    api: 'Unpack it, and send it by itself, or use `quarry import --frame all FILE`, which has no such limit for a file that is in no archive.',
    cli: 'Unpack it, and import it by itself: `quarry import --frame all FILE` has no such limit.',
    page: 'Unpack it, and import the file by itself, or use `quarry import --frame all FILE`, which has no such limit.',
  },
  moreRequests: {
    api: 'Send what follows in another request, or use `quarry import`, which has no such limit.',
    cli: 'Unpack it, and import its files.',
    page: 'Import what follows by itself, or use `quarry import`, which has no such limit.',
  },
  severalKeys: {
    api: 'Give each a value of its own, or a key of several fields: key=task_id,run.',
    cli: 'Give each a value of its own, or a key of several fields: --key task_id,run.',
  },
  nameKey: {
    api: 'A key is a field that every record has, with one value: key=task_id.',
    cli: 'A key is a field that every record has, with one value: --key task_id.',
  },
  storeOnceMore: {
    api: 'onDuplicate=return answers with it, onDuplicate=create stores another.',
    cli: '--on-duplicate return leaves it as it is, --on-duplicate create stores another.',
    page: 'Choose that it is left as it is, or stored once more.',
  },
  findSets: {
    api: 'PUT /{collection}/create-set makes a set; GET /{collection}?query={"isEntitySet":true} lists them.',
    page: 'Sets shows those there are, and makes new ones.',
  },
  endTask: {
    api: 'Wait until one has ended, or cancel one: GET /bulk-changes lists them.',
    cli: 'Wait until one has ended, or cancel one: `quarry change list` shows them.',
    page: 'Wait until one has ended, or cancel one: the bar at the bottom shows them.',
  },
  cancelTask: {
    api: 'Wait until it has ended, or POST /bulk-changes/{id}/cancel first; what it has done by then can be undone.',
    cli: 'Wait until it has ended, or `quarry change cancel` it first; what it has done by then can be undone.',
    page: 'Wait until it has ended, or cancel it first; what it has done by then can be undone.',
  },
  inPortions: {
    api: 'With the header "Prefer: respond-async" it is carried out in portions; or narrow the query.',
    page: 'Narrow the query, and make one change after the other.',
  },
  lookAgain: {
    api: 'Look at what matches now (dryRun), and send its number.',
    cli: 'Look at what matches now with --dry-run, and give its number as --expect.',
    page: 'Look at what matches now, and choose once more.',
  },
  listUndo: {
    api: 'GET /bulk-changes lists them. A change can be undone once, for 30 days.',
    cli: '`quarry change list` shows those there are. A change can be undone once, for 30 days.',
    page: '“Deleted and changed” has them. A change can be undone once, for 30 days.',
  },
  copyToChange: {
    api: 'POST /{collection}/ID/copy makes one of your own; or use a token of the account that it belongs to.',
    cli: 'Give the account that it belongs to as --account.',
    page: 'Copy makes one of your own; or act in the account that it belongs to.',
  },
  copyToPublish: {
    api: 'POST /{collection}/ID/copy makes a copy with an _id of its own, which can be published.',
    cli: 'A copy has an _id of its own, and can be published.',
    page: 'Copy makes one with an _id of its own, which can be published.',
  },
  setDefault: { api: 'POST /{collection}/ID/set-default makes one the default.' },
  otherDefault: {
    api: 'Make another the default first: POST /{collection}/ID/set-default.',
    cli: 'Make another the default first.',
    page: 'Another has to be made the default first, which the API does.',
  },
  listRecords: { api: 'GET /{collection} lists what you can see.', page: 'The list shows what you can see.' },
  listFiles: {
    api: 'GET /{collection}/{id}/files lists those that it has.',
    page: 'Its page shows those that it has.',
  },
  putFile: {
    api: 'POST /{collection}/{id}/presigned-urls gives an address to put it to.',
    page: 'Send the file once more.',
  },
  listVersions: {
    api: 'GET /{collection}/{id}/history lists the versions that are kept.',
    page: 'History shows the versions that are kept.',
  },
  nameVersion: {
    api: 'POST /{collection}/ID/restore?revision=N; GET /{collection}/ID/history lists the versions.',
    page: 'Choose one under History.',
  },
  listRemoved: { api: 'GET /{collection}/removed lists them.', page: '“Deleted and changed” shows them.' },
  listMembers: {
    api: 'GET /accounts/{id}/members lists the members.',
    cli: '`quarry organization members` lists the members.',
    page: 'The page of the organization shows the members.',
  },
  listAccounts: {
    api: 'GET /accounts lists your accounts.',
    cli: '`quarry organization list` shows those there are.',
    page: 'The page of your account shows those that you belong to.',
  },
  exportLines: {
    api: 'Narrow the query, or leave out format to export records as NDJSON.',
    cli: 'Narrow the query, or export records without --to.',
    page: 'Narrow the query, or export records as NDJSON.',
  },
} as const satisfies Readonly<Record<string, Words>>

export type RemedyName = keyof typeof REMEDIES

/** Remedy as data: its name, and the values that its words need. */
export interface Remedy {
  readonly name: RemedyName
  readonly [value: string]: string | number
}

/** The data of a refusal that says what is to be done: the hint in the words of the API, which other doors replace. */
export type Remedied = { readonly hint: string; readonly remedy: Remedy }

/** Makes the data of a refusal about which something can be done. */
export function remedied(name: RemedyName, values: Readonly<Record<string, string | number>> = {}): Remedied {
  const remedy = { ...values, name }
  return { hint: wordsFor('api', remedy) ?? '', remedy }
}

/** Message of a refusal, and what is said of it for programs. */
interface Refused<Data extends object = object> {
  readonly message: string
  readonly data: Data
}

/** Says a refusal as people of a door would: message and hint in its words. */
export function inWordsOf<Data extends object>(door: Door, { message, data }: Refused<Data>): Refused<Data> {
  const { hint, remedy, ...rest } = data as { readonly hint?: unknown; readonly remedy?: unknown }
  if (door === 'api' || typeof hint !== 'string' || !isRemedy(remedy)) return { message, data }
  const words = wordsFor(door, remedy)
  // A hint is a sentence of its own, at the end of the message where it is in it.
  const said = message.replace(hint, () => words ?? '').trimEnd()
  return { message: said, data: { ...rest, remedy, ...(words === undefined ? {} : { hint: words }) } as Data }
}

function isRemedy(value: unknown): value is Remedy {
  const name = (value as Partial<Remedy> | undefined)?.name
  return typeof name === 'string' && Object.hasOwn(REMEDIES, name)
}

function wordsFor(door: Door, { name, ...values }: Remedy): string | undefined {
  const words: Words = REMEDIES[name as RemedyName]
  return words[door]?.replace(/\{([a-z]+)\}/g, (whole, value: string) => String(values[value] ?? whole))
}

/** The same of a report on one thing of many, where it was refused. */
export function reportInWordsOf<Report extends { readonly error?: object }>(door: Door, report: Report): Report {
  const { error } = report
  return error === undefined ? report : { ...report, error: { ...error, ...inWordsOf(door, error as Refused) } }
}
