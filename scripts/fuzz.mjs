// `npm run test:fuzz [-- --minutes 60 --lines N --seed N --shell zsh]`: lines that the hook would clear are run in real shells.
// `npm run test:fuzz -- properties [rounds]`: every property test with cases nobody has seen.
import { parseArgs } from 'node:util'
import { installDebianPackage } from './debian-package.mjs'
import { runProperties } from './fuzz/properties.mjs'
import { hunt, rate } from './fuzz/run.mjs'
import { shellsHere, shellsKnown } from './fuzz/shells.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    lines: { type: 'string' },
    seed: { type: 'string' },
    shell: { type: 'string', multiple: true },
    // lines that match are left out: what is known, and not mended yet
    without: { type: 'string' },
    // another copy of the project, whose reader is asked
    sources: { type: 'string' },
    'keep-nothing': { type: 'boolean', default: false },
  },
})

if (positionals[0] === 'properties') process.exit(runProperties(Number(positionals[1] ?? 5)) ? 0 : 1)

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const lines = values.lines === undefined ? undefined : Number(values.lines)
const minutes =
  values.minutes === undefined && lines !== undefined
    ? undefined
    : Number(values.minutes ?? process.env.FUZZ_MINUTES ?? 3)
const without = values.without === undefined ? undefined : new RegExp(values.without)
const missingShells = () => shellsKnown().filter(shell => !shellsHere().includes(shell))
for (const shell of missingShells()) installDebianPackage(shell)
const missing = missingShells()
const shells = values.shell ?? shellsHere()
if (missing.length > 0) console.log(`not installed: ${missing.join(', ')}`)
if (shells.length === 0) {
  console.error('no shell to run lines in')
  process.exit(1)
}
console.log(`seed ${seed}, in ${shells.join(', ')}`)
const state = await hunt({
  minutes,
  lines,
  seed,
  shells,
  sources: values.sources,
  without,
  keep: !values['keep-nothing'],
})
const { judged, cleared, run, late, hits } = state
if (process.stderr.isTTY) process.stderr.write('\n')
console.log(`${judged} lines judged (${rate(state)}/s), ${cleared} cleared, ${run} run, ${late} given up`)
if (hits.length > 0) {
  const where = values['keep-nothing'] ? '' : ', added to test/shell/unseen-code.yaml'
  console.error(`${hits.length} cleared lines changed something${where} (--seed ${seed})`)
  process.exit(1)
}
