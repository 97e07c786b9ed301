import type { Mutant } from './mutant.ts'

const CORE = { project: 'core' }
const DIRECTORY = { file: 'src/store/files/directory-files.ts', ...CORE }
const INTAKE = { file: 'src/store/files/intake.ts', ...CORE }
const THREAD = { file: 'src/store/files/intake-thread.ts', ...CORE }
const BUCKET = { file: 'src/store/files/bucket-files.ts', tests: ['test/store/bucket-files.test.ts'], ...CORE }
const CONTENTS = { file: 'src/store/files/contents.ts', tests: ['test/cli/files-of-records.test.ts'], ...CORE }
const BACKUPS = { file: 'src/store/files/backup-folder.ts', tests: ['test/cli/files-of-records.test.ts'], ...CORE }
const USE_CASES = {
  file: 'src/records/use-cases/files.ts',
  tests: ['test/http/files.test.ts'],
  project: 'sqlite',
}
const STORE = { tests: ['test/store/file-store.test.ts', 'test/store/directory-files.test.ts'] }

/** Mistakes in how files arrive, are kept, and go. */
export const FILE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a content that is found while it is being removed goes',
    find: 'if (!(await isOlder(aside, unusedForMs))) {',
    replace: 'if (aside === path) {',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'a content that is found does not count as used',
    find: 'await utimes(path, now, now).then(',
    replace: 'await stat(path).then(',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'a content that a killed process was removing stays aside',
    find: 'if (path.endsWith(ASIDE)) await putBack(path)',
    replace: '',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'a content that is being removed cannot be read',
    find: '[path, path + ASIDE, path]',
    replace: '[path]',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'contents that were just used are named as unused',
    find: 'if (isSha256(sha256) && (await isOlder(path, milliseconds))) yield',
    replace: 'if (isSha256(sha256)) yield',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'uploads that nobody goes on with stay',
    find: '    await this.#dropUploads(milliseconds)\n',
    replace: '',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'a part of a content has a byte too many',
    find: 'end: range.to - 1 }',
    replace: 'end: range.to }',
    ...STORE,
    ...DIRECTORY,
  },
  {
    name: 'what is behind the place where an upload is gone on with stays',
    find: '  ftruncateSync(file, size)\n',
    replace: '',
    ...STORE,
    ...THREAD,
  },
  {
    name: 'the check sum of an upload that was gone on with is that of its end',
    find: '    crc = crc32(STEP.subarray(0, read), crc)\n',
    replace: '',
    ...STORE,
    ...THREAD,
  },
  {
    name: 'a content that is stored anew is as old as its upload',
    find: '  utimesSync(path, now, now)\n',
    replace: '',
    ...STORE,
    ...THREAD,
  },
  {
    name: 'two requests write one upload',
    find: 'if (upload.path === path) pause(ticket)',
    replace: 'if (upload.path === "") pause(ticket)',
    ...STORE,
    ...THREAD,
  },
  {
    name: 'a request that is over takes an upload over from a later one',
    find: '    if (this.#latest.get(upload) !== turn) throw takenOver()\n',
    replace: '',
    ...STORE,
    ...INTAKE,
  },
  {
    name: 'what a killed process was putting into a bucket stays in the folder',
    find: '[INCOMING, WHOLE, BORROWED]',
    replace: '[INCOMING, BORROWED]',
    ...BUCKET,
  },
  {
    name: 'what a bucket does not take is lost',
    find: '      await rename(path, join(this.#folder, INCOMING, `${upload}.part`))\n',
    replace: '',
    ...BUCKET,
  },
  {
    name: 'a bucket that has not all of a content is believed',
    find: "    if ((await this.#bucket.look(key))?.size !== size) throw new BucketFault(null, 'the bucket has not all of it')\n",
    replace: '',
    ...BUCKET,
  },
  {
    name: 'a content that is marked as used is named as unused',
    find: 'Math.max(at, used) <= before',
    replace: 'at <= before',
    ...BUCKET,
  },
  {
    name: 'a damaged content is copied without a word',
    find: 'return kept.sha256 === sha256 ? null : DAMAGED',
    replace: 'return null',
    ...CONTENTS,
  },
  {
    name: 'a damaged content is found to be well',
    find: "return hash.digest('hex') === sha256 ? null : DAMAGED",
    replace: 'return null',
    ...CONTENTS,
  },
  {
    name: 'a content of another size is not copied again',
    find: 'if ((await files.find(file.sha256)) !== file.size) return false',
    replace: 'if ((await files.find(file.sha256)) === null) return false',
    ...CONTENTS,
  },
  {
    name: 'a list of a backup that was overwritten is believed',
    find: 'lines[0] === stampOf(backup) && lines.at(-1) === END',
    replace: 'lines.at(-1) === END',
    ...BACKUPS,
  },
  {
    name: 'contents that the last backup does not list go at once',
    find: 'isUsed.has(sha256) ? null : await this.files.remove(sha256, GRACE_MS)',
    replace: 'isUsed.has(sha256) ? null : await this.files.remove(sha256, 0)',
    ...BACKUPS,
  },
  {
    name: 'a file that is not what its digest says is stored',
    find: 'if (sha256 === null || sha256 === content.sha256) return content',
    replace: 'return content',
    ...USE_CASES,
  },
  {
    name: 'bytes behind a gap are taken',
    find: '  if (from > arrived) throw uploadGap(from, arrived)\n',
    replace: '',
    ...USE_CASES,
  },
  {
    name: 'a file that is longer than it was said is stored',
    find: 'if (total === null || size <= total) return size',
    replace: 'if (total === null || size >= 0) return size',
    ...USE_CASES,
  },
  {
    name: 'bytes that come with the word that all have come are taken',
    file: 'src/http/request/byte-ranges.ts',
    find: 'if (whole !== null && hasNoBytes(headers)) return',
    replace: 'if (whole !== null) return',
    tests: ['test/http/files.test.ts'],
    project: 'sqlite',
  },
  {
    name: 'the turn of a process that was killed is waited for as long as for the next look',
    file: 'src/app/turn.ts',
    find: 'if (this.#othersUntil === 0) return againMs',
    replace: 'if (this.#othersUntil >= 0) return againMs',
    tests: ['test/app/turn.test.ts'],
    ...CORE,
  },
]
