// Every property test with cases nobody has seen, again and again. A failing round prints its seed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** True where every round was green. */
export function runProperties(rounds) {
  const files = readdirSync('test', { recursive: true })
    .map(name => join('test', name))
    .filter(name => name.endsWith('.test.ts') && readFileSync(name, 'utf8').includes('fc.assert'))
  for (let round = 1; round <= rounds; round += 1) {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`round ${round} of ${rounds}: FUZZ_SEED=${seed}`)
    const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], {
      stdio: 'inherit',
      env: { ...process.env, FUZZ_SEED: String(seed) },
    })
    if (status === 0) continue
    console.error(`red with FUZZ_SEED=${seed}`)
    return false
  }
  return true
}
