// Installs a program from Debian's packages, where this is root and there is apt-get. Elsewhere it does nothing.
import { spawnSync } from 'node:child_process'

/** Whoever needs the program looks for it afterwards. */
export function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return
  console.log(`${name} is missing: apt-get install ${name}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = args => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
  const install = () => aptGet(['install', '-y', '--no-install-recommends', name])
  if (!install() && aptGet(['update'])) install()
}
