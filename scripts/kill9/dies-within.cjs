// Loaded before everything else, in every thread and process of a server: one of them kills its process before a statement that writes, or a call that
// does something to a file. The file that KILL9_ORDER names says which, once it is there: `within`, the name of a file of the sources; `at`, the number of the
// statement or call among those that the file's functions make in this thread; `further`, how many more of the thread are let through. The SQL, or the name of
// the call, is written beside the order.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const Database = require('better-sqlite3')

const file = process.env.KILL9_ORDER
const DEEP_ENOUGH = 40
/** Calls that change a file or a folder. */
const FILE_CALLS = ['writeSync', 'ftruncateSync', 'fsyncSync', 'utimesSync', 'renameSync', 'mkdirSync']
const { existsSync, readFileSync, writeFileSync } = fs
let order = null
let made = 0
let more = null

function mayDieBefore(sql) {
  if (order === null) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    // The order may just be being written.
    if (!text.endsWith('}')) return
    order = JSON.parse(text)
  }
  if (more === null) {
    if (!isWithin(order.within)) return
    made += 1
    if (made < order.at) return
    more = order.further
  }
  if (more > 0) {
    more -= 1
    return
  }
  writeFileSync(`${file}.died`, sql)
  process.kill(process.pid, 'SIGKILL')
}

function isWithin(name) {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = DEEP_ENOUGH
  const { stack } = new Error(name)
  Error.stackTraceLimit = limit
  return stack.includes(`/${name}.`)
}

function listen(prototype, method, sqlOf) {
  const original = prototype[method]
  prototype[method] = function (...parameters) {
    mayDieBefore(sqlOf(this, parameters))
    return original.apply(this, parameters)
  }
}

if (file !== undefined) {
  listen(Database.prototype, 'exec', (_, [sql]) => sql)
  listen(Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')), 'run', ({ source }) => source)
  for (const call of FILE_CALLS) listen(fs, call, () => call)
  syncBuiltinESMExports()
}
