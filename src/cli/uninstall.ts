import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { known as agents } from '../clients/known.ts'
import type { Scope } from '../clients/registers.ts'
import { runFolder, stopDaemon } from '../daemon/index.ts'
import { labelOf, nameHere, type Place, planUndo, readManifest, type Undo, undo, withLock } from '../install/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { diffLines, planLines, problemLines, told } from './init-words.ts'
import { placeOf } from './surroundings.ts'

const SCOPES: readonly Scope[] = ['user', 'project', 'managed']

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Takes out what `signalbox init` put in: every file as it was.',
  usage: '[--yes] [--scope user|project|managed] [--dry-run] [--json]',
  about: {
    yes: 'do not ask',
    scope: 'only there; also hooks that somebody else registered',
    'dry-run': 'show what would change, and change nothing',
    json: 'the same as JSON',
  },
  example: 'signalbox uninstall --dry-run',
  options: {
    yes: { type: 'boolean', short: 'y' },
    scope: { type: 'string' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ values, terminal }) {
    const scope = SCOPES.find(one => one === values.scope)
    if (values.scope !== undefined && !scope) {
      terminal.err(`signalbox uninstall: unknown scope \`${values.scope}\`; scopes: ${SCOPES.join(', ')}\n`)
      return 2
    }
    const agent = agents.find(({ marks = [] }) => marks.some(name => terminal.env[name]))
    if (agent && !values['dry-run']) {
      terminal.err(`signalbox uninstall: this is for people, and it runs inside ${agent.title}; nothing was changed\n`)
      return 2
    }
    const place = placeOf(terminal)
    const plan = () => planned(place, scope)
    return values.json ? asJson(plan, values, place, terminal) : inWords(plan, values, place, terminal)
  },
}

type Values = Parameters<Command['run']>[0]['values']

/** Without a scope: all that is on record, and hooks of ours among the person's own. A project's that others registered is theirs. */
function planned(place: Place, scope: Scope | undefined): Undo {
  const manifest = readManifest(place.state)
  if (scope) return planUndo(place, manifest, [scope])
  return planUndo(place, manifest, SCOPES, ['user'])
}

async function inWords(plan: () => Undo, values: Values, place: Place, terminal: Terminal): Promise<ExitCode> {
  const shown = plan()
  const { changes, problems, copies } = shown
  terminal.err(problemLines(problems, place))
  terminal.out(strayLines(shown, place))
  if (changes.length + copies.length + shown.done.length === 0) {
    const why = shown.needing.length > 0 || problems.length > 0 ? 'see above' : '`signalbox init` wrote nothing here'
    terminal.out(`Nothing to take out: ${why}.\n`)
    return problems.length > 0 ? 1 : 0
  }
  terminal.out(undoLines(shown, place))
  if (values['dry-run']) {
    terminal.out(`${diffLines({ changes }, place)}Nothing was changed.\nNext   ${nameHere(place)} uninstall\n`)
    return problems.length > 0 ? 1 : 0
  }
  if (!values.yes) {
    if (!terminal.canAsk) {
      terminal.err(
        `signalbox uninstall: there is no terminal to ask in, so nothing was changed; to do it: ${nameHere(place)} uninstall --yes\n`,
      )
      return 2
    }
    if (!/^y(es)?$/i.test((await terminal.ask('Take it out? [y/N] ')).trim())) {
      terminal.out('Nothing was changed.\n')
      return 1
    }
  }
  await carryOut(plan, shown, place)
  for (const file of shown.left) terminal.out(`Kept   ${labelOf(file, place)}, it was changed since\n`)
  terminal.out(endLines(shown, place))
  return problems.length > 0 ? 1 : 0
}

/** With its program the daemon goes, and its folder. A call that comes in between may start another one. */
async function carryOut(plan: () => Undo, { copies }: Undo, place: Place): Promise<void> {
  if (copies.length > 0) await stopDaemon(place.state)
  withLock(place.state, () => undo(plan(), place))
  if (copies.length === 0) return
  await stopDaemon(place.state)
  for (const folder of [runFolder(place.state), ...MADE_AGAIN.map(name => join(place.state, name))])
    rmSync(folder, { recursive: true, force: true })
}

/** Compiled code and policies: only the program had a use for them. */
const MADE_AGAIN = ['code', 'cache']

/** Whoever still calls Signalbox is named: nobody is told that it is gone where it is not. */
function endLines({ needing, problems }: Undo, place: Place): string {
  const me = nameHere(place)
  const kept = `Kept   ${labelOf(place.state, place)}/, sessions and the audit trail\n`
  if (needing.length === 0 && problems.length === 0) return `${kept}Done.  Agents run without Signalbox now.\n`
  const callers = needing.map(file => labelOf(file, place)).join(', ')
  const program = needing.length > 0 ? `Kept   the program and what starts it: ${callers} still calls it\n` : ''
  if (problems.length > 0)
    return `${kept}${program}Not all of it is out: ${problems.map(({ file }) => labelOf(file, place)).join(', ')}\nNext   mend that, then ${me} uninstall\n`
  return `${kept}${program}Done.  Agents run without Signalbox now, but for ${callers}\nNext   ${me} uninstall takes out all of it\n`
}

/** Without a record nobody knows what a file was: said before anything is done. */
const strayLines = ({ unrecorded }: Undo, place: Place): string =>
  unrecorded.length === 0
    ? ''
    : `Note   there is no record of ${unrecorded.map(file => labelOf(file, place)).join(', ')} in ${labelOf(place.state, place)}: the hook goes, everything else there stays as it is now, not byte for byte as it was; if XDG_STATE_HOME or SIGNALBOX_HOME was set for \`signalbox init\`, set it for this too\n`

const undoLines = ({ changes, copies, left }: Undo, place: Place): string =>
  planLines({ changes, copy: undefined }, place)
    .replace(/.*originals are kept.*\n/, '')
    .concat(copies.map(data => `       - ${labelOf(data, place)}/  the program\n`).join(''))
    .concat(left.map(file => `       = ${labelOf(file, place)}  stays, it was changed since\n`).join(''))

async function asJson(plan: () => Undo, values: Values, place: Place, terminal: Terminal): Promise<ExitCode> {
  const shown = plan()
  const isDone = values.yes === true && values['dry-run'] !== true
  if (isDone) await carryOut(plan, shown, place)
  const { changes, problems, left, copies, needing, unrecorded } = shown
  const { changes: list } = told({ scope: 'user', changes, problems, copy: undefined })
  terminal.out(
    `${JSON.stringify({ changes: list, problems, left, copies, needing, unrecorded, applied: isDone }, null, 2)}\n`,
  )
  if (problems.length > 0) return 1
  return isDone || values['dry-run'] || changes.length + copies.length === 0 ? 0 : 2
}
