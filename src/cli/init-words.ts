import type { Client } from '../clients/index.ts'
import type { Silence } from '../doctor/index.ts'
import {
  type AdoptedFile,
  type Change,
  diffOf,
  labelOf,
  nameHere,
  type Place,
  type Plan,
  type Probed,
  type Problem,
  registrationsIn,
  type Wanted,
} from '../install/index.ts'
import { didYouMean } from '../policy/index.ts'
import { count } from './count.ts'

/** A word in front of the first line, blanks in front of the others, columns below each other. */
function block(word: string, rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map(at =>
    Math.max(0, ...rows.map(row => (at < row.length - 1 ? (row[at]?.length ?? 0) : 0))),
  )
  return rows
    .map((row, nth) => {
      const cells = row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell))
      return `${(nth === 0 ? word : '').padEnd(7)}${cells.join('  ')}`.trimEnd()
    })
    .map(line => `${line}\n`)
    .join('')
}

/** Each agent, its file, and what of the person's own is in it. */
export function foundLines({ clients, scope, adopt }: Wanted, place: Place): string {
  return block(
    'Found',
    clients.map(client => {
      const found = registrationsIn(client, scope, place)
      const own = found?.hooks.filter(one => !one.isOurs).length ?? 0
      const isHere = found?.hooks.some(one => one.isOurs)
      const words = [
        ...(own > 0 ? [`${count(own, 'hook')} of yours${adopt ? '' : ', kept'}`] : []),
        ...(isHere ? ['registered'] : []),
      ]
      const told = found?.problem ? 'left alone' : words.join('; ') || 'no hooks'
      return [client.title, labelOf(found?.file ?? '', place), told]
    }),
  )
}

export function planLines({ changes, copy }: Pick<Plan, 'changes' | 'copy'>, place: Place): string {
  // the program and what starts it are one thing to a person
  const isPart = ({ file }: Change) => copy && !copy.isThere && file.startsWith(`${copy.data}/`)
  const rows = changes.filter(one => !isPart(one)).map(one => [`${signOf(one)} ${labelOf(one.file, place)}`, one.what])
  const program = copy && !copy.isThere ? [[`+ ${labelOf(copy.data, place)}/`, `the program, ${place.version}`]] : []
  return block('Plan', [
    ...rows,
    ...program,
    [`originals are kept, \`${nameHere(place, 'after')} uninstall\` restores them`],
  ])
}

const signOf = ({ before, after }: Change): string => (before === null ? '+' : after === null ? '-' : '~')

export const diffLines = ({ changes }: Pick<Plan, 'changes'>, place: Place): string =>
  changes
    .filter(({ kind }) => kind !== 'launcher' && kind !== 'plugin')
    .map(({ file, before, after }) => `\n${labelOf(file, place)}\n${diffOf(textOf(before), textOf(after))}`)
    .join('')
    .concat('\n')

const textOf = (bytes: Buffer | null): string => bytes?.toString('utf8') ?? ''

export const problemLines = (problems: readonly Problem[], place: Place): string =>
  problems
    .map(({ file, place: at = '', problem, help }) => {
      const fix = help ?? (at === '' ? undefined : 'mend it and run this again')
      return `signalbox: ${labelOf(file, place)}${at} ${problem}; it is left alone${fix ? `: ${fix}` : ''}\n`
    })
    .join('')

/** A canary, and what still keeps its refusal from being heard. */
export interface Outcome extends Probed {
  readonly hindrance?: Silence | undefined
}

/** The words of `signalbox status`: a refusal that came back is a proof only where the agent needs nothing else to call the hook. */
export const stateOf = ({ denied, hindrance }: Outcome): 'enforcing' | 'unproven' | 'broken' =>
  !denied || hindrance?.waits === false ? 'broken' : hindrance ? 'unproven' : 'enforcing'

const SHOUTED = { enforcing: 'ENFORCING', unproven: 'UNPROVEN', broken: 'NOT ENFORCING' }

export function outcomeLines(
  outcomes: readonly Outcome[],
  { changes, oneShot }: Plan,
  clients: readonly Client[],
  place: Place,
  stuck = '',
) {
  const rows = outcomes.map(one => {
    const { client: id, denied, ms, why = '', hindrance } = one
    const said = denied ? `canary denied in ${ms} ms` : why
    const state = SHOUTED[stateOf(one)] + (denied && hindrance ? `  ${hindrance.why}` : '')
    return [clients.find(client => client.id === id)?.title ?? id, said, state]
  })
  const me = nameHere(place)
  const starter = changes.find(({ kind, before }) => kind === 'policy' && before === null)
  const isBroken = outcomes.some(one => stateOf(one) === 'broken')
  const asked = outcomes.flatMap(one => (stateOf(one) === 'unproven' ? (one.hindrance?.fix ?? []) : []))
  return [
    block('Probe', rows),
    stuck,
    ...(oneShot === undefined ? [] : [`Note   each hook starts Node: ${oneShot}\n`]),
    ...(starter ? [`Gate   take \`mode: observe\` out of ${labelOf(starter.file, place)}, and it blocks\n`] : []),
    `Undo   ${me} uninstall   byte for byte\n`,
    block(
      'Next',
      [...new Set(asked), `${me} ${isBroken ? 'doctor' : stuck ? 'check' : 'status'}`].map(line => [line]),
    ),
  ].join('')
}

/** For programs: files, and no text of them. */
export const told = ({
  scope,
  changes,
  problems,
  copy,
  oneShot,
  adoption,
}: Omit<Plan, 'adoption'> & Partial<Plan>) => ({
  scope,
  changes: changes.map(({ file, kind, client, what, before, after }) => ({
    file,
    kind,
    ...(client && { client }),
    what,
    change: before === null ? 'add' : after === null ? 'remove' : 'edit',
  })),
  problems,
  ...(adoption && adoption.files.length > 0 && { adopted: adoption.files.map(adoptionTold) }),
  ...(copy && { program: { folder: copy.data, name: copy.name, isThere: copy.isThere, ...(oneShot && { oneShot }) } }),
})

const adoptionTold = ({ file, client, adoption }: AdoptedFile) => ({
  file,
  client,
  taken: adoption.taken.filter(({ replacing }) => !replacing?.isInForce).map(({ hook }) => hook),
  replaced: adoption.taken.flatMap(({ hook, replacing }) =>
    replacing?.isInForce ? [{ event: hook.called, run: hook.run, pack: replacing.pack }] : [],
  ),
  staying: adoption.staying,
})

/** `codex` is `codex-cli`. */
export function guessed(id: string, known: readonly string[]): string {
  const whole = (word: string): string => known.find(one => one === word || one.startsWith(`${word}-`)) ?? word
  const isShort = known.includes(whole(id.toLowerCase()))
  const words = isShort
    ? `did you mean \`${whole(id.toLowerCase())}\`?`
    : didYouMean(id, [...known, ...known.map(one => one.split('-')[0] ?? '')], whole)
  return words ? `${words} ` : ''
}
