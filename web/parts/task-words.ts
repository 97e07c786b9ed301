import type { BulkTask } from '../app/bulk-tasks.ts'

export function isUnderWay({ state }: Pick<BulkTask, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

const GOING: Readonly<Record<BulkTask['action'], string>> = {
  update: 'Changing',
  remove: 'Deleting',
  recompute: 'Computing again',
  import: 'Storing',
  undo: 'Putting back',
}
const DONE: Readonly<Record<BulkTask['action'], string>> = {
  update: 'changed',
  remove: 'deleted',
  recompute: 'brought up to date',
  import: 'stored',
  undo: 'put back',
}

/** What was sent is calculations, whatever is stored of them. */
function nounOf({ action, collection }: Pick<BulkTask, 'action' | 'collection'>): string {
  return action === 'import' ? 'calculations' : collection
}

/** `Changing 6,608 materials: 3,500 done`. */
export function wordsOf({ action, collection, matched, done, state }: BulkTask): string {
  const far = state === 'waiting' ? 'waiting' : `${done.toLocaleString()} done`
  return `${GOING[action]} ${matched.toLocaleString()} ${nounOf({ action, collection })}: ${far}`
}

/** `6,600 materials changed, 6 were so already, 2 refused.` */
export function endWords({ action, collection, matched, done, count, unchanged, refused, state }: BulkTask): string {
  const parts = [
    `${count.toLocaleString()} ${nounOf({ action, collection })} ${DONE[action]}`,
    ...(unchanged === 0
      ? []
      : [
          `${unchanged.toLocaleString()} ${unchanged === 1 ? 'was' : 'were'} ${action === 'import' ? 'there' : 'so'} already`,
        ]),
    ...(refused === 0 ? [] : [`${refused.toLocaleString()} refused`]),
  ].join(', ')
  if (state === 'done') return `${parts}.`
  const how = state === 'cancelled' ? 'Cancelled' : 'Stopped'
  return `${how} after ${done.toLocaleString()} of ${matched.toLocaleString()}: ${parts}.`
}
