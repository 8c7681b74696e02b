// What was proven with the real agents: the table at the end of a run, and the record that the pages of the agents are made of.
import { readFileSync, writeFileSync } from 'node:fs'

const RECORD = 'test/real-clients/verified.json'
const keyOf = ({ id, client = id, version }) => `${client} ${version}`

/** A line for each scenario, a column for each agent. */
export function table(clients, notes) {
  const scenarios = [...new Set(notes.map(({ scenario }) => scenario))].sort()
  const first = Math.max(...scenarios.map(({ length }) => length), 8)
  const columns = clients.map(one => [keyOf(one), notes.filter(note => keyOf(note) === keyOf(one))])
  const line = cells =>
    cells.map((cell, at) => cell.padEnd(at === 0 ? first : (columns[at - 1]?.[0].length ?? 0))).join('  ')
  const seconds = ([, own]) => `${Math.round(own.reduce((sum, { ms }) => sum + ms, 0) / 1000)} s`
  const named = [
    ...new Set(notes.filter(isDeclared).map(note => `~ ${keyOf(note)}, ${note.scenario}: ${note.deviation}`)),
  ]
  return [
    line(['', ...columns.map(([name]) => name)]),
    ...scenarios.map(scenario =>
      line([scenario, ...columns.map(([, own]) => mark(own.find(one => one.scenario === scenario)))]),
    ),
    line(['', ...columns.map(seconds)]),
    '+ as promised   ~ as its page declares   t trial: not served yet   X failed   . not played',
    ...named,
  ].join('\n')
}

function mark(note) {
  if (!note) return '.'
  if (note.failed) return 'X'
  if (note.bare) return 't'
  return isDeclared(note) ? '~' : '+'
}

const isDeclared = ({ deviation, bare }) => deviation !== undefined && !bare

/** Of agents that Signalbox serves: what each version was seen to do. */
const outcomesOf = notes => {
  const served = notes.filter(({ bare, beside }) => !bare && !beside)
  return [...new Set(served.map(keyOf))].map(key => {
    const own = served.filter(note => keyOf(note) === key).sort((a, b) => a.scenario.localeCompare(b.scenario))
    const scenarios = Object.fromEntries(own.map(({ scenario, deviation }) => [scenario, deviation ?? 'holds']))
    return { client: own[0].id, version: own[0].version, scenarios }
  })
}

const recorded = () => JSON.parse(readFileSync(RECORD, 'utf8'))

/** Where a run saw something else than the record says. */
export const differences = notes =>
  outcomesOf(notes).flatMap(seen => {
    const known = recorded().find(one => keyOf(one) === keyOf(seen))
    return JSON.stringify(known?.scenarios) === JSON.stringify(seen.scenarios)
      ? []
      : [`${RECORD} does not say what was seen of ${keyOf(seen)}`]
  })

/** Keeps what was seen, with the day; agents that did not take part stay as they are. */
export function record(notes) {
  const date = new Date().toISOString().slice(0, 10)
  const seen = outcomesOf(notes).map(({ client, version, scenarios }) => ({ client, version, date, scenarios }))
  const others = recorded().filter(known => !seen.some(one => keyOf(one) === keyOf(known)))
  const all = [...others, ...seen].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
  writeFileSync(RECORD, `${JSON.stringify(all, null, 2)}\n`)
  console.log(`${RECORD} written; npm run generate puts it into the pages`)
}
