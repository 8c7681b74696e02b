// Runs the tests of the store and of faults on a pinned newest Node, which has SQLite of its own and is started otherwise: `npm run test:newest [-- vitest arguments]`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { newestNode } from './newest-node-binary.mjs'

const args = process.argv.slice(2)
const vitest = [
  join('node_modules', 'vitest', 'vitest.mjs'),
  'run',
  ...(args.length > 0
    ? args
    : ['test/store', 'test/faults', 'test/daemon/daemon', 'test/daemon/server', 'test/daemon/kept']),
]
// every client's words are compared on the other Node
const FAULTS_OF = 'claude-code,copilot-cli,generic'
const { status } = spawnSync(newestNode(), vitest, { stdio: 'inherit', env: { FAULTS_OF, ...process.env } })
process.exitCode = status ?? 1
