import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'

/** The functions of the bundle that run while `action` does. */
export async function recordCoverage(outfile, action) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // what ran before is counted once more from here on
  await session.post('Profiler.takePreciseCoverage')
  await action()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return result.find(({ url }) => url === pathToFileURL(outfile).href)?.functions ?? []
}

/** Files of src/ with at least one function that ran. esbuild writes the path of each file above its code. */
export function filesThatRan(functions, outfile) {
  const text = readFileSync(outfile, 'utf8')
  const files = [...text.matchAll(/^\/\/ (\S+\.(?:ts|js|mjs|cjs))$/gm)].map(match => ({
    path: match[1],
    at: match.index,
  }))
  const ran = new Map()
  for (const { functionName, ranges } of functions) {
    const [{ startOffset, count }] = ranges
    if (count === 0 || functionName === '') continue
    const file = files.findLast(({ at }) => at <= startOffset)?.path
    if (file?.startsWith('src/')) ran.set(file, [...(ran.get(file) ?? []), functionName])
  }
  return [...ran].sort().map(([path, names]) => ({ path, functions: names }))
}

/** How long each phase takes, in ms an event: the time of its function and of all that it calls. */
export async function timePhases(phases, rounds, play) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 50 })
  for (let round = 0; round < rounds; round++) await play()
  await session.post('Profiler.start')
  const began = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) await play()
  const allMs = Number(process.hrtime.bigint() - began) / 1e6 / rounds
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return { allMs, phases: phases.map(name => ({ name, ms: msIn(profile, name) / rounds })) }
}

function msIn({ nodes, samples, timeDeltas }, name) {
  const children = new Map(nodes.map(node => [node.id, node.children ?? []]))
  const inside = new Set()
  const add = id => {
    inside.add(id)
    for (const child of children.get(id)) add(child)
  }
  for (const { id, callFrame } of nodes) if (callFrame.functionName === name && !inside.has(id)) add(id)
  return samples.reduce((sum, id, at) => sum + (inside.has(id) ? timeDeltas[at] : 0), 0) / 1000
}
