// Makes sure that node_modules is what package-lock.json says and that the native binding runs on this Node.js.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runNode, runNpm, say } from './command.mjs'
import { runStep } from './step.mjs'

/** Refuses a Node.js that is older than package.json asks for, in words instead of a syntax error later. */
export function requireSupportedNode() {
  const { engines } = readJson('package.json')
  const needed = engines.node.replace(/^>=/, '').split('.').map(Number)
  const running = process.versions.node.split('.').map(Number)
  const [major, minor = 0] = needed
  if (running[0] > major || (running[0] === major && running[1] >= minor)) return
  say(`Quarry needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`)
  say('Install a current version from https://nodejs.org (or with nvm: nvm install 22) and try again.')
  process.exit(1)
}

/** Runs `npm ci` unless what is installed is right already. Ends the process with advice when that fails. */
export async function ensureInstalled() {
  if (isInstalledAsLocked() && (await bindingLoads())) return
  say('installing packages (npm ci); where the SQLite binding must be compiled this takes a minute or two')
  const options = ['--include=dev', '--no-audit', '--no-fund', '--prefer-offline']
  const { ok } = await runStep('npm ci', () =>
    runNpm(['ci', ...options], { env: { ...process.env, ...bindingTarget() } }),
  )
  if (!ok) fail('npm ci failed; its messages are above.')
  if (!(await bindingLoads()))
    fail('The packages are installed, but the SQLite binding (better-sqlite3) does not load.')
}

/**
 * With the headers of Node.js 24.19 and later of that line, the binding aborts the process when garbage is collected; one that is made
 * with those of an earlier version runs on all of it.
 */
function bindingTarget() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major === 24 && minor >= 19 ? { npm_config_target: '24.18.1' } : {}
}

function fail(reason) {
  say(reason)
  say('Check that the package registry can be reached (npm ping) and that a C++ compiler, make and Python 3 are there')
  say('(Debian, Ubuntu: apt-get install build-essential python3; macOS: xcode-select --install), then try again.')
  process.exit(1)
}

/**
 * Compares the lock with the record that npm leaves in node_modules as the last act of an installation. Optional packages
 * may be missing: they are the ones for other platforms.
 */
function isInstalledAsLocked() {
  try {
    const locked = packagesIn('package-lock.json')
    const installed = packagesIn(join('node_modules', '.package-lock.json'))
    return Object.entries(locked).every(([path, { version, optional, devOptional }]) => {
      if (path === '') return true
      const found = installed[path]
      return found === undefined ? optional === true || devOptional === true : found.version === version
    })
  } catch {
    return false
  }
}

/** Opens a database in a process of its own: a binding made for another Node.js may crash rather than complain. */
async function bindingLoads() {
  const { ok } = await runNode(['-e', "new (require('better-sqlite3'))(':memory:').close()"], { capture: true })
  return ok
}

function packagesIn(file) {
  return readJson(file).packages
}

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}
