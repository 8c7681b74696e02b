import type { Client } from '../../../../clients/index.ts'
import { padTo, widestOf } from '../../../../lib/text-width.ts'
import { didYouMean } from '../../../../policy/index.ts'
import type { DisabledHooksReason } from '../../../doctor/index.ts'
import {
  type CanaryResult,
  commandNameHere,
  displayPath,
  type FileChange,
  type FileProblem,
  type ImportedHookFile,
  type InitOptions,
  type InstallPaths,
  type InstallPlan,
  lineDiff,
  readRegistrations,
} from '../../../install/index.ts'
import { countNoun } from '../../terminal/count-noun.ts'

/** Puts the word before the first row, blanks before the others, and aligns the columns. */
function formatBlock(word: string, rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map(at => widestOf(rows.map(row => (at < row.length - 1 ? (row[at] ?? '') : ''))))
  return rows
    .map((row, nth) => {
      const cells = row.map((cell, at) => (at < row.length - 1 ? padTo(cell, widths[at] ?? 0) : cell))
      return `${(nth === 0 ? word : '').padEnd(7)}${cells.join('  ')}`.trimEnd()
    })
    .map(line => `${line}\n`)
    .join('')
}

/** Each agent with its settings file and the person's own hooks in it. */
export function foundAgentLines({ clients, scope, adopt }: InitOptions, paths: InstallPaths): string {
  return formatBlock(
    'Found',
    clients.map(client => {
      const found = readRegistrations(client, scope, paths)
      const own = found?.hooks.filter(hook => !hook.isOurs).length ?? 0
      const isHere = found?.hooks.some(hook => hook.isOurs)
      const words = [
        ...(own > 0 ? [`${countNoun(own, 'hook')} of yours${adopt ? '' : ', kept'}`] : []),
        ...(isHere ? ['registered'] : []),
      ]
      const summary = found?.problem ? 'not changed' : words.join('; ') || 'no hooks'
      return [client.title, displayPath(found?.file ?? '', paths), summary]
    }),
  )
}

export function installPlanLines(
  { changes, copy }: Pick<InstallPlan, 'changes' | 'copy'>,
  paths: InstallPaths,
): string {
  // the program and its launcher are shown as one item
  const isPart = ({ file }: FileChange) => copy && !copy.isThere && file.startsWith(`${copy.data}/`)
  const rows = changes
    .filter(change => !isPart(change))
    .map(change => [`${changeSignOf(change)} ${displayPath(change.file, paths)}`, change.what])
  const program =
    copy && !copy.isThere ? [[`+ ${displayPath(copy.data, paths)}/`, `the program, ${paths.version}`]] : []
  return formatBlock('Plan', [
    ...rows,
    ...program,
    [`your original files are kept; \`${commandNameHere(paths, 'after')} uninstall\` restores them`],
  ])
}

const changeSignOf = ({ before, after }: FileChange): string => (before === null ? '+' : after === null ? '-' : '~')

export const planDiffText = ({ changes }: Pick<InstallPlan, 'changes'>, paths: InstallPaths): string =>
  changes
    .filter(({ kind }) => kind !== 'launcher' && kind !== 'plugin')
    .map(
      ({ file, before, after }) =>
        `\n${displayPath(file, paths)}\n${lineDiff(bytesToText(before), bytesToText(after))}`,
    )
    .join('')
    .concat('\n')

const bytesToText = (bytes: Buffer | null): string => bytes?.toString('utf8') ?? ''

export const fileProblemLines = (problems: readonly FileProblem[], paths: InstallPaths): string =>
  problems
    .map(({ file, place: at = '', problem, help }) => {
      const fix = help ?? (at === '' ? undefined : 'fix it and run this command again')
      return `signalbox: ${displayPath(file, paths)}${at} ${problem}; the file was not changed${fix ? `: ${fix}` : ''}\n`
    })
    .join('')

/** A canary result, and what still keeps the agent from applying the denial. */
export interface CanaryOutcome extends CanaryResult {
  readonly disabledReason?: DisabledHooksReason | undefined
}

/** The states of `signalbox status`. A denied canary proves enforcement only if the agent needs nothing else to call the hook. */
export const enforcementStateOf = ({ denied, disabledReason }: CanaryOutcome): 'enforcing' | 'unverified' | 'broken' =>
  !denied || disabledReason?.waits === false ? 'broken' : disabledReason ? 'unverified' : 'enforcing'

const STATE_WORDS = { enforcing: 'ENFORCING', unverified: 'UNVERIFIED', broken: 'NOT ENFORCING' }

export function canaryLines(
  outcomes: readonly CanaryOutcome[],
  { changes, oneShot }: InstallPlan,
  clients: readonly Client[],
  paths: InstallPaths,
  stuck = '',
) {
  const rows = outcomes.map(outcome => {
    const { client: id, denied, ms, why = '', disabledReason } = outcome
    const result = denied ? `test call denied in ${ms} ms` : why
    const state = STATE_WORDS[enforcementStateOf(outcome)] + (denied && disabledReason ? `  ${disabledReason.why}` : '')
    return [clients.find(client => client.id === id)?.title ?? id, result, state]
  })
  const me = commandNameHere(paths)
  const starter = changes.find(({ kind, before }) => kind === 'policy' && before === null)
  const isBroken = outcomes.some(outcome => enforcementStateOf(outcome) === 'broken')
  const fixes = outcomes.flatMap(outcome =>
    enforcementStateOf(outcome) === 'unverified' ? (outcome.disabledReason?.fix ?? []) : [],
  )
  return [
    formatBlock('Test', rows),
    stuck,
    ...(oneShot === undefined ? [] : [`Note   each hook call starts Node (slower): ${oneShot}\n`]),
    ...(starter
      ? [`Gate   to make it block, remove \`mode: observe\` from ${displayPath(starter.file, paths)}\n`]
      : []),
    `Undo   ${me} uninstall   restores every file exactly\n`,
    formatBlock(
      'Next',
      [...new Set(fixes), `${me} ${isBroken ? 'doctor' : stuck ? 'check' : 'status'}`].map(line => [line]),
    ),
  ].join('')
}

/** The JSON form: files without their contents. */
export const installPlanJson = ({
  scope,
  changes,
  problems,
  copy,
  oneShot,
  adoption,
}: Omit<InstallPlan, 'adoption'> & Partial<InstallPlan>) => ({
  scope,
  changes: changes.map(({ file, kind, client, what, before, after }) => ({
    file,
    kind,
    ...(client && { client }),
    what,
    change: before === null ? 'add' : after === null ? 'remove' : 'edit',
  })),
  problems,
  ...(adoption && adoption.files.length > 0 && { adopted: adoption.files.map(hookImportJson) }),
  ...(copy && {
    program: {
      folder: copy.data,
      name: copy.name,
      isInstalled: copy.isThere,
      ...(oneShot && { nativeHookProblem: oneShot }),
    },
  }),
})

const hookImportJson = ({ file, client, adoption }: ImportedHookFile) => ({
  file,
  client,
  moved: adoption.taken.filter(({ replacing }) => !replacing?.isInForce).map(({ hook }) => hook),
  replaced: adoption.taken.flatMap(({ hook, replacing }) =>
    replacing?.isInForce ? [{ event: hook.called, run: hook.run, pack: replacing.pack }] : [],
  ),
  notMoved: adoption.remaining.map(({ why, ...hook }) => ({ ...hook, reason: why })),
})

/** `codex` becomes `codex-cli`. */
export function suggestClientId(id: string, known: readonly string[]): string {
  const whole = (word: string): string => known.find(text => text === word || text.startsWith(`${word}-`)) ?? word
  const isShort = known.includes(whole(id.toLowerCase()))
  const words = isShort
    ? `did you mean \`${whole(id.toLowerCase())}\`?`
    : didYouMean(id, [...known, ...known.map(text => text.split('-')[0] ?? '')], whole)
  return words ? `${words} ` : ''
}
