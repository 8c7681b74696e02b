// Puts pinned versions of real agents into a cache outside of the project, from the package registry.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const SLOW_MS = 10_000
const TIMEOUT_MS = 10 * 60_000
const HOUR_MS = 3_600_000

export const cacheFolder = ({ SIGNALBOX_CLIENTS_CACHE, XDG_CACHE_HOME } = process.env) =>
  SIGNALBOX_CLIENTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox-clients')

/** One after the other; the problems of those that could not be installed. */
export async function installClients(wanted, say = line => console.log(line)) {
  const cache = cacheFolder()
  mkdirSync(cache, { recursive: true })
  sweep(cache)
  const problems = []
  for (const one of wanted) {
    const name = `${one.client} ${one.version}`
    try {
      if (isInstalled(join(cache, folderOf(one)), one)) say(`${name}: in the cache`)
      else await install(cache, one, line => say(`${name}: ${line}`))
    } catch (error) {
      problems.push(`${name} cannot be installed: ${error.message}`)
    }
  }
  return problems
}

const folderOf = ({ client, version }) => `${client}-${version}`

/**
 * In a folder of its own that is then renamed: a run that is cut off leaves nothing half-made behind, and of two runs at
 * once the first one wins. What was fetched before stays in npm's own cache, so that the next run goes on from there.
 */
async function install(cache, one, say) {
  const began = Date.now()
  const part = join(cache, `${folderOf(one)}.part-${process.pid}`)
  const slow = setInterval(() => say(`still installing, ${seconds(began)}`), SLOW_MS)
  say('installing')
  try {
    mkdirSync(part, { recursive: true })
    await npmInstall(part, packagesOf(one))
    if (!isInstalled(part, one))
      throw new Error(
        `npm left out a part of it; there is none for ${process.platform} on ${process.arch}, or the network failed`,
      )
    moveTo(join(cache, folderOf(one)), part, one)
    say(`installed, ${seconds(began)}`)
  } finally {
    clearInterval(slow)
    rmSync(part, { recursive: true, force: true })
  }
}

function npmInstall(folder, packages) {
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // their scripts would only copy what is there already, or fetch from elsewhere
  const args = ['install', '--prefix', folder, '--ignore-scripts', ...quiet, ...packages]
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: TIMEOUT_MS })
  let words = ''
  child.stderr.on('data', chunk => {
    words += chunk
  })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', code => (code === 0 ? done() : fail(new Error(lastLines(words) || `npm ended with ${code}`))))
  })
}

function moveTo(place, part, one) {
  if (existsSync(place)) {
    if (isInstalled(place, one)) return
    renameSync(place, `${part}-old`)
    rmSync(`${part}-old`, { recursive: true, force: true })
  }
  try {
    renameSync(part, place)
  } catch (error) {
    // another run was first
    if (!isInstalled(place, one)) throw error
  }
}

/** Every package is there in the version that is pinned, and the program for this machine, which npm may leave out. */
const isInstalled = (folder, one) =>
  existsSync(join(folder, 'node_modules', here(one.program))) &&
  packagesOf(one).every(spec => {
    const [, name, version] = /^(.+)@([^@]+)$/.exec(spec) ?? []
    try {
      return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version === version
    } catch {
      return false
    }
  })

const packagesOf = ({ packages }) => packages.map(here)

const here = name => name.replace('{platform}', process.platform).replace('{arch}', process.arch)

/** What runs that were cut off have left. */
function sweep(cache) {
  for (const name of readdirSync(cache).filter(one => one.includes('.part-'))) {
    const folder = join(cache, name)
    if (Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > HOUR_MS)
      rmSync(folder, { recursive: true, force: true })
  }
}

const seconds = began => `${Math.round((Date.now() - began) / 1000)} s`

const lastLines = words =>
  words
    .split('\n')
    .filter(line => /\S/.test(line) && !/A complete log|npm warn/i.test(line))
    .slice(0, 3)
    .join('; ')
    .replaceAll('npm error ', '')
