// `npm run trace -- payload.json [--client claude-code] [--policy signalbox.yaml] [--json]`: which phases an event goes through, how long
// each takes, and which files of src/ run. Works on the sources, in this process, with a state folder of its own.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filesThatRan, recordCoverage, timePhases } from './trace/coverage.mjs'
import { print } from './trace/print.mjs'
import { withBundle } from './with-bundle.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    client: { type: 'string', default: 'claude-code' },
    policy: { type: 'string' },
    rounds: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (file === undefined) {
  console.error('usage: npm run trace -- PAYLOAD.json [--client ID] [--policy FILE] [--rounds N] [--json]')
  process.exit(2)
}

await withBundle('trace', 'scripts/trace/play-event.ts', async ({ openTrace }, { folder, outfile }) => {
  const policy = values.policy === undefined ? undefined : readFileSync(values.policy, 'utf8')
  const { play } = openTrace({ payload: readFileSync(file, 'utf8'), client: values.client, policy, folder })
  // the first event compiles the policy and creates the database; later ones are what an agent waits for
  const reply = await play()
  const files = filesThatRan(await recordCoverage(outfile, play), outfile)
  print({ reply, files, ...(await timePhases(phasesByName(), Number(values.rounds), play)) }, values.json)
})

/** As handle-event.ts imports them, in the order in which it calls them. */
function phasesByName() {
  const text = readFileSync('src/hook/handle-event.ts', 'utf8')
  const names = [...text.matchAll(/^import \{ (\w+) \} from '\.\/phases\//gm)].map(([, name]) => name)
  const body = text.slice(text.indexOf('async function runPhases'))
  return names.sort((a, b) => body.indexOf(`${a}(`) - body.indexOf(`${b}(`))
}
