// Preloaded into a process of the traced program, and into each of its threads: notes which functions are entered, and when.
const { appendFileSync } = require('node:fs')
const { BroadcastChannel, isMainThread, threadId } = require('node:worker_threads')

/** A file that gets each function when it is entered for the first time, for programs that end by themselves. */
const firstEntries = process.env.TRACED_ENTRIES
/** A thread that does not say what it has is gone. */
const GONE_MS = 2000

let files = []
let starts = []
let times = []
const seen = new Set()

globalThis.entered = firstEntries === undefined ? note : noteFirst

function note(file, start) {
  files.push(file)
  starts.push(start)
  times.push(performance.timeOrigin + performance.now())
}

function noteFirst(file, start) {
  const line = `${file} ${start}\n`
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(firstEntries, line)
}

function take() {
  const taken = { thread: threadId, files, starts, times }
  files = []
  starts = []
  times = []
  return taken
}

if (firstEntries === undefined) listen()

/** The main thread takes orders from the process that started this one, and asks the others. */
function listen() {
  const channel = new BroadcastChannel('quarry trace')
  channel.unref()
  if (!isMainThread) {
    channel.onmessage = ({ data }) => data === 'take' && channel.postMessage({ taken: take() })
    channel.postMessage({ here: threadId })
    process.once('exit', () => channel.postMessage({ gone: threadId }))
    return
  }
  const threads = new Set()
  let waiting = null
  channel.onmessage = ({ data }) => {
    if (data.here !== undefined) threads.add(data.here)
    else if (data.gone !== undefined) threads.delete(data.gone)
    else waiting?.(data.taken)
  }
  process.on('message', async (order) => {
    if (order !== 'quarry trace: take') return
    const takings = [take()]
    await new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiting = null
        resolve()
      }
      const asked = new Set(threads)
      const timer = setTimeout(() => {
        for (const gone of asked) threads.delete(gone)
        end()
      }, GONE_MS)
      waiting = (taken) => {
        takings.push(taken)
        asked.delete(taken.thread)
        if (asked.size === 0) end()
      }
      if (asked.size === 0) end()
      else channel.postMessage('take')
    })
    process.send({ takings })
  })
  process.channel?.unref()
}
