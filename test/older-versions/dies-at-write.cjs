// Loaded before everything else, in every thread: the process kills itself before the statement with the number DIES_AT_WRITE, counted
// over all threads. What it counted is in the environment data `writes`.
const { getEnvironmentData, setEnvironmentData } = require('node:worker_threads')
const Database = require('better-sqlite3')

const shared = getEnvironmentData('writes') ?? new SharedArrayBuffer(4)
setEnvironmentData('writes', shared)
const writes = new Int32Array(shared)
const last = Number(process.env.DIES_AT_WRITE)

function counting(prototype, method) {
  const original = prototype[method]
  prototype[method] = function (...parameters) {
    if (Atomics.add(writes, 0, 1) + 1 === last) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, parameters)
  }
}

counting(Database.prototype, 'exec')
counting(Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')), 'run')
