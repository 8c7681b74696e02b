import type { Client } from '../clients/index.ts'
import { registeringById } from '../clients/registers.ts'
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
import { count } from './check.ts'

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
      const words = found?.problem
        ? 'left alone'
        : own > 0
          ? `${count(own, 'hook')} of yours${adopt ? '' : ', kept'}`
          : isHere
            ? 'registered'
            : 'no hooks'
      return [client.title, labelOf(found?.file ?? '', place), words]
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

/** What a canary found out. A deny that came back is a proof only where the agent needs nothing else to call the hook. */
export function outcomeLines(probes: readonly Probed[], clients: readonly Client[], place: Place): string {
  const rows = probes.map(({ client: id, denied, ms, why = '' }) => {
    const client = clients.find(one => one.id === id)
    const later = registeringById(id)?.afterwards ?? (client?.unverified && 'nobody has seen it work yet')
    const title = client?.title ?? id
    if (!denied) return [title, why, 'NOT ENFORCING']
    return later
      ? [title, `canary denied in ${ms} ms; it ${later}`, 'UNPROVEN']
      : [title, `canary denied in ${ms} ms`, 'ENFORCING']
  })
  const next = probes.every(({ denied }) => denied) ? 'demo' : 'doctor'
  const me = nameHere(place)
  return `${block('Probe', rows)}Undo   ${me} uninstall   byte for byte\nNext   ${me} ${next}\n`
}

/** For programs: files, and no text of them. */
export const told = ({ scope, changes, problems, copy, adoption }: Omit<Plan, 'adoption'> & Partial<Plan>) => ({
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
  ...(copy && { program: { folder: copy.data, name: copy.name, isThere: copy.isThere } }),
})

const adoptionTold = ({ file, client, adoption }: AdoptedFile) => ({
  file,
  client,
  taken: adoption.taken.map(({ hook }) => hook),
  staying: adoption.staying,
})
