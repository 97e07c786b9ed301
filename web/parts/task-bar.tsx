import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../api/client.ts'
import { announce } from '../app/announce.ts'
import { type BulkTask, begun, changing, followTasks, keepUnderWay, mayBeUnderWay } from '../app/bulk-tasks.ts'
import { changes, HEARD_MS } from '../app/change-stream.ts'
import { focusContent } from '../app/focus.ts'
import { chosenAccount } from '../app/session.ts'
import { noteWrite } from '../app/undo.ts'
import { endWords, isUnderWay, wordsOf } from './task-words.ts'
import { toldInPlace } from './told-in-place.ts'
import './task-bar.css'

/** Milliseconds between looks: at first, and at most. */
const FIRST_MS = 500
const MOST_MS = 4_000
const FACTOR = 1.3

/** What the server is doing in portions, with how far it is: also what was begun before this page was opened, or elsewhere. */
export function TaskBar() {
  const tasks = useTasks()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const shown = tasks.filter(({ _id }) => !hidden.has(_id) && !toldInPlace.value.has(_id))
  if (shown.length === 0) return null
  function hide(id: string): void {
    setHidden(new Set([...hidden, id]))
    focusContent()
  }
  return (
    <div class="task-bar" role="region" aria-label="What is done in the background">
      {shown.map((task) => (
        <Task key={task._id} task={task} onHide={() => hide(task._id)} />
      ))}
    </div>
  )
}

/** Those that are under way, and those that have ended since this page has shown them. */
function useTasks(): readonly BulkTask[] {
  const [tasks, setTasks] = useState<readonly BulkTask[]>([])
  const followed = useRef(new Set<string>())
  const account = chosenAccount.value
  // While one is under way, looks follow each other.
  const heard = tasks.some(isUnderWay) ? 0 : (changes.value['bulk-changes'] ?? 0)
  useEffect(() => {
    followed.current.clear()
    setTasks([])
  }, [account])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    async function look(waitMs: number): Promise<void> {
      const { data } = await ask<readonly BulkTask[]>('GET', '/bulk-changes').catch(() => ({ data: null }))
      if (isOver) return
      const known = (data ?? []).filter((task) => isUnderWay(task) || followed.current.has(task._id))
      if (data !== null) {
        setTasks(known)
        tellChanging(known.filter(isUnderWay))
        tellEnds(known, followed.current)
      }
      const goesOn = data === null ? followed.current.size > 0 : known.some(isUnderWay)
      if (data !== null) keepUnderWay(goesOn)
      if (goesOn) timer = setTimeout(() => void look(Math.min(waitMs * FACTOR, MOST_MS)), waitMs)
    }
    if (heard > 0 || mayBeUnderWay()) void look(FIRST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [begun.value, account, heard])
  return tasks
}

/** The stream of changes may tell of the last portion after its end was seen. */
function tellChanging(underWay: readonly BulkTask[]): void {
  const now = new Set(underWay.map(({ collection }) => collection))
  if (now.size > 0) changing.value = now
  else if (changing.value.size > 0) setTimeout(() => (changing.value = now), HEARD_MS)
}

const told = new Set<string>()

/** Says once that one has ended; lists are asked for anew. */
function tellEnds(tasks: readonly BulkTask[], followed: Set<string>): void {
  for (const task of tasks) {
    followed.add(task._id)
    if (isUnderWay(task) || told.has(task._id)) continue
    told.add(task._id)
    announce(endWords(task))
    noteWrite()
  }
}

interface TaskProps {
  readonly task: BulkTask
  readonly onHide: () => void
}

function Task({ task, onHide }: TaskProps) {
  const [error, setError] = useState<string | null>(null)
  const [asked, setAsked] = useState<'cancel' | 'undo' | null>(null)
  const at = `/bulk-changes/${encodeURIComponent(task._id)}`
  async function send(what: 'cancel' | 'undo'): Promise<void> {
    setAsked(what)
    try {
      await ask('POST', `${at}/${what}`)
      followTasks()
      if (what === 'undo') onHide()
    } catch (refusal) {
      setError((refusal as Error).message)
      setAsked(null)
    }
  }
  const isRunning = isUnderWay(task)
  return (
    <section class="task" aria-label={wordsOf(task)}>
      <p>{isRunning ? wordsOf(task) : endWords(task)}</p>
      {isRunning && <progress max={task.matched} value={task.done} aria-label="Done" />}
      {!isRunning && (task.refused > 0 || task.state === 'failed') && <Report at={at} />}
      {error !== null && <p role="alert">{error}</p>}
      <p class="task-foot">
        {isRunning && (
          <button type="button" disabled={asked !== null} onClick={() => void send('cancel')}>
            {asked === 'cancel' ? 'Cancelling…' : 'Cancel'}
          </button>
        )}
        {!isRunning && task.undo !== null && (
          <button type="button" disabled={asked !== null} onClick={() => void send('undo')}>
            Undo
          </button>
        )}
        <button type="button" class="plain" aria-label={isRunning ? 'Hide' : 'Dismiss'} onClick={onHide}>
          ✕
        </button>
      </p>
    </section>
  )
}

interface ToldReport {
  readonly refusals: readonly { readonly _id: string; readonly reason: string }[]
  readonly error: { readonly message: string } | null
}

/** Reasons of `undo` that are words of the API. */
const REASONS: Readonly<Record<string, string>> = {
  changed: 'changed since',
  gone: 'gone since',
  taken: 'another one has its id by now',
  'not-kept': 'its former version is not kept any more',
}

/** Why it ended early, and which records stayed as they were. */
function Report({ at }: { readonly at: string }) {
  const [report, setReport] = useState<ToldReport | null>(null)
  useEffect(() => {
    ask<ToldReport>('GET', at).then(
      ({ data }) => setReport(data),
      () => {},
    )
  }, [at])
  if (report === null) return null
  return (
    <>
      {report.error !== null && <p>{report.error.message}</p>}
      {report.refusals.length > 0 && (
        <details>
          <summary>Which were refused</summary>
          <ul>
            {report.refusals.map(({ _id, reason }) => (
              <li key={_id}>
                <code>{_id}</code>: {REASONS[reason] ?? reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
