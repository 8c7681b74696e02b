import { known as agents } from '../clients/known.ts'
import type { Scope } from '../clients/registers.ts'
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
  const { changes, problems, left, copies } = shown
  terminal.err(problemLines(problems, place))
  if (changes.length + copies.length + shown.done.length === 0) {
    terminal.out('Nothing to take out: `signalbox init` wrote nothing here.\n')
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
  withLock(place.state, () => undo(plan(), place))
  for (const file of left) terminal.out(`Kept   ${labelOf(file, place)}, it was changed since\n`)
  terminal.out(
    `Kept   ${labelOf(place.state, place)}/, sessions and the audit trail\nDone.  Agents run without Signalbox now.\nNext   ${nameHere(place)} init\n`,
  )
  return problems.length > 0 ? 1 : 0
}

const undoLines = ({ changes, copies }: Undo, place: Place): string =>
  planLines({ changes, copy: undefined }, place)
    .replace(/.*originals are kept.*\n/, '')
    .concat(copies.map(data => `       - ${labelOf(data, place)}/  the program\n`).join(''))

async function asJson(plan: () => Undo, values: Values, place: Place, terminal: Terminal): Promise<ExitCode> {
  const shown = plan()
  const isDone = values.yes === true && values['dry-run'] !== true
  if (isDone) withLock(place.state, () => undo(plan(), place))
  const { changes, problems, left, copies } = shown
  const { changes: list } = told({ scope: 'user', changes, problems, copy: undefined })
  terminal.out(`${JSON.stringify({ changes: list, problems, left, copies, applied: isDone }, null, 2)}\n`)
  if (problems.length > 0) return 1
  return isDone || values['dry-run'] || changes.length + copies.length === 0 ? 0 : 2
}
