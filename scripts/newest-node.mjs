// Runs the tests of the store and of faults on a pinned newest Node, which has SQLite of its own and is started otherwise: `npm run test:newest [-- vitest arguments]`.
// The binary comes from the registry, as a package, into a cache outside of the project.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = '26.10.0'

const { platform, arch, env } = process
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox', `node-${VERSION}`)
const node = join(cache, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')

if (!existsSync(node)) {
  mkdirSync(cache, { recursive: true })
  const options = ['--prefix', cache, '--no-save', '--ignore-scripts', '--silent', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, `${name}@${VERSION}`], { stdio: 'inherit' })
}
const args = process.argv.slice(2)
const vitest = [
  join('node_modules', 'vitest', 'vitest.mjs'),
  'run',
  ...(args.length > 0 ? args : ['test/store', 'test/faults', 'test/daemon/daemon', 'test/daemon/server', 'test/daemon/kept']),
]
// every client's words are compared on the other Node
const FAULTS_OF = 'claude-code,copilot-cli,generic'
const { status } = spawnSync(node, vitest, { stdio: 'inherit', env: { FAULTS_OF, ...env } })
process.exitCode = status ?? 1
