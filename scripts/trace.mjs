// `npm run trace -- payload.json [--client claude-code] [--policy signalbox.yaml] [--json]`: which phases an event goes through, how long
// each takes, and which files of src/ run. Works on the sources, in this process, with a state folder of its own.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filesThatRan, recordCoverage, timePhases } from './trace/coverage.mjs'
import { print } from './trace/print.mjs'
import { withBundle } from './with-bundle.mjs'

const USAGE = `usage: npm run trace -- PAYLOAD.json [--client ID] [--policy FILE] [--rounds N] [--json]

  PAYLOAD.json       what an agent sent to the hook, as in test/captures/
  --client ID        the agent that sent it; default: claude-code
  --policy FILE      the project's policy; default: none, so that only the built-in gates are in force
  --rounds N         how often the event is timed; default: 200
  --json             the same as JSON`

const { values, positionals } = parsed()
const [file] = positionals
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
if (file === undefined) fail(USAGE)
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) fail(`trace: \`--rounds ${values.rounds}\`: expected a number from 1 on`)
const payload = readText(file)
if (!isObjectText(payload)) fail(`trace: ${file} is not a payload: it is not a JSON object`)
const policy = values.policy === undefined ? undefined : readText(values.policy)

await withBundle('trace', 'scripts/trace/play-event.ts', async ({ openTrace }, { folder, outfile }) => {
  const { play } = openTrace({ payload, client: values.client, policy, folder })
  // the first event compiles the policy and creates the database; later ones are what an agent waits for
  const reply = await play()
  const files = filesThatRan(await recordCoverage(outfile, play), outfile)
  const timed = await timePhases(phasesByName(), rounds, play)
  print({ reply, files, policy: values.policy, ...timed }, values.json)
}).catch(error => fail(`trace: ${error.message}`))

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        client: { type: 'string', default: 'claude-code' },
        policy: { type: 'string' },
        rounds: { type: 'string', default: '200' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return fail(`trace: ${error.message.split('. ', 1)[0]}\n${USAGE}`)
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return fail(`trace: ${path} cannot be read: ${error.code}`)
  }
}

function isObjectText(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}

/** As handle-event.ts imports them, in the order in which it calls them. */
function phasesByName() {
  const text = readFileSync('src/hook/handle-event.ts', 'utf8')
  const names = [...text.matchAll(/^import \{ (\w+) \} from '\.\/phases\//gm)].map(([, name]) => name)
  const body = text.slice(text.indexOf('async function runPhases'))
  return names.sort((a, b) => body.indexOf(`${a}(`) - body.indexOf(`${b}(`))
}
