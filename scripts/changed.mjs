// What has changed in this clone, as git tells it.
import { runProgram } from './command.mjs'

async function git(...parameters) {
  const { ok, output } = await runProgram('git', parameters, { capture: true })
  return ok ? output.split('\n').filter((line) => line !== '') : null
}

/**
 * The files that differ from a commit, those that are new among them; null where git does not know.
 * @param {string} since
 */
export async function changedSince(since) {
  const changed = await git('diff', '--name-only', '--no-renames', since, '--')
  const added = await git('ls-files', '--others', '--exclude-standard')
  return changed === null || added === null ? null : [...new Set([...changed, ...added])]
}

/** The files that differ from what others have: the branch that this one follows, else the last commit. */
export async function changedHere() {
  const [base] = (await git('merge-base', 'HEAD', '@{upstream}')) ?? []
  return (await changedSince(base ?? 'HEAD')) ?? []
}
