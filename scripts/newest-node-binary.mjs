// The newest Node, in a pinned version. The binary comes from the registry, as a package, into a cache outside of the project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = '26.10.0'

/** Where it is; fetched, if it is not there yet. */
export function newestNode() {
  const { platform, arch, env } = process
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox', `node-${VERSION}`)
  const node = join(cache, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(node)) return node
  mkdirSync(cache, { recursive: true })
  const options = ['--prefix', cache, '--no-save', '--ignore-scripts', '--silent', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, `${name}@${VERSION}`], { stdio: 'inherit' })
  return node
}
