// End to end with the real agents: `npm run test:clients [-- --only ID --without ID --scenario TEXT --record]`.
// Installs them, then plays test/real-clients/scenarios with each of them where nothing but loopback can be reached.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheFolder, installClients } from './install-clients.mjs'
import { newestNode } from './newest-node-binary.mjs'
import { differences, record, table } from './proof.mjs'

const PINNED = JSON.parse(readFileSync('test/real-clients/pinned.json', 'utf8'))
const nameOf = ({ client, version }) => `${client}@${version}`

function fail(line) {
  console.error(`\n${line}`)
  process.exit(1)
}

function options() {
  const list = { type: 'string', multiple: true, default: [] }
  const shape = { only: list, without: list, scenario: { type: 'string' }, record: { type: 'boolean', default: false } }
  try {
    return parseArgs({ options: shape }).values
  } catch (error) {
    return fail(`${error.message}\nKnown: --only ID, --without ID, --scenario TEXT, --record`)
  }
}

const { only, without, scenario, record: records } = options()
if (records && scenario) fail('a part of the scenarios is no record: leave --scenario or --record out')
const isNamed = (one, names) => names.some(name => name === one.client || name === nameOf(one))
const known = [...new Set(PINNED.flatMap(one => [one.client, nameOf(one)]))]
for (const name of [...only, ...without])
  if (!known.includes(name)) fail(`unknown client \`${name}\`; known: ${known.join(', ')}`)

const chosen = PINNED.filter(one => (only.length === 0 || isNamed(one, only)) && !isNamed(one, without))
if (chosen.length === 0) fail('no client is left to run: that proves nothing')

console.log(`Clients in ${cacheFolder()}`)
const problems = await installClients(chosen)
if (problems.length > 0)
  fail(`${problems.join('\n')}\nTo go on without one of them, name it: npm run test:clients -- --without ID`)

// a second Node, for who changes it after `init`: fetched before there is no network
const otherNode = newestNode()

/** A network of one's own with nothing in it but loopback. Needs root, or a kernel that lets anybody. */
function alone() {
  const up = '(ip link set lo up || ifconfig lo up) 2>/dev/null && exec "$@"'
  const ways = [['-n'], ['-r', '-n']].map(flags => ['unshare', ...flags, '--', 'sh', '-c', up, 'sh'])
  return ways.find(([program, ...args]) => spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0)
}

const way = alone()
console.log(
  way
    ? 'Network: loopback only, in a namespace of its own'
    : 'Network: NOT cut off (no right to `unshare -n`); proxies lead nowhere',
)
const folder = mkdtempSync(join(tmpdir(), 'signalbox-clients-'))
try {
  const results = join(folder, 'results.jsonl')
  const vitest = [
    process.execPath,
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    'vitest.clients.config.ts',
  ]
  const [program, ...args] = [...(way ?? []), ...vitest, ...(scenario ? ['-t', scenario] : [])]
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      SIGNALBOX_REAL_CLIENTS: chosen.map(nameOf).join(','),
      SIGNALBOX_REAL_RESULTS: results,
      SIGNALBOX_REAL_NODE: otherNode,
      ...(way && { SIGNALBOX_REAL_NETWORK: 'none' }),
    },
  })
  const notes = existsSync(results)
    ? readFileSync(results, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    : []
  console.log(`\n${table(chosen, notes)}`)
  const left = PINNED.filter(one => !chosen.includes(one)).map(nameOf)
  if (left.length > 0) console.log(`Left out by name: ${left.join(', ')}`)
  const idle = chosen.filter(one => !notes.some(({ id, version }) => id === one.client && version === one.version))
  if (idle.length > 0) fail(`no scenario was played with ${idle.map(nameOf).join(', ')}: that proves nothing`)
  if (status !== 0) process.exitCode = 1
  else if (records) record(notes)
  else if (!scenario) {
    const stale = differences(notes)
    if (stale.length > 0)
      fail(`${stale.join('\n')}\nIf that is right: npm run test:clients -- --record && npm run generate`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
