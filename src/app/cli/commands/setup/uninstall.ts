import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { allFootprints as agents } from '../../../../clients/footprints.ts'
import type { SettingsScope } from '../../../../clients/settings.ts'
import { runFolderOf, stopDaemon } from '../../../../hook/daemon/index.ts'
import {
  applyUninstallPlan,
  commandNameHere,
  displayPath,
  type InstallPaths,
  planUninstall,
  readManifest,
  type UninstallPlan,
  withInstallLock,
} from '../../../install/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { fileProblemLines, installPlanJson, installPlanLines, planDiffText } from './init-text.ts'

const SCOPES: readonly SettingsScope[] = ['user', 'project', 'managed']

export const uninstallCommand: Command = {
  name: 'uninstall',
  summary: 'Remove Signalbox and restore every file that `signalbox init` changed.',
  usage: '[--yes] [--scope user|project|managed] [--dry-run] [--json]',
  example: 'signalbox uninstall --dry-run',
  options: {
    yes: { type: 'boolean', short: 'y', about: 'do not ask for confirmation' },
    scope: { type: 'string', about: 'only this scope; also removes hooks that somebody else registered there' },
    'dry-run': { type: 'boolean', about: 'show the changes without making them' },
    json: { type: 'boolean', about: 'the same as JSON' },
  },
  async run({ values, terminal }) {
    const scope = SCOPES.find(settingsScope => settingsScope === values.scope)
    if (values.scope !== undefined && !scope) {
      terminal.err(`signalbox uninstall: unknown scope \`${values.scope}\`; scopes: ${SCOPES.join(', ')}\n`)
      return 2
    }
    const agent = agents.find(({ marks = [] }) => marks.some(name => terminal.env[name]))
    if (agent && !values['dry-run']) {
      terminal.err(
        `signalbox uninstall: only a person can do this, and it was started by ${agent.title}. Nothing was changed.\n`,
      )
      return 2
    }
    const paths = installPathsOf(terminal)
    const plan = () => planForScope(paths, scope)
    return values.json ? runAsJson(plan, values, paths, terminal) : runInteractively(plan, values, paths, terminal)
  },
}

type OptionValues = Parameters<Command['run']>[0]['values']

/** Without a scope: everything in the manifest, and our hooks in the user's settings. Hooks that others registered in a project stay. */
function planForScope(paths: InstallPaths, scope: SettingsScope | undefined): UninstallPlan {
  const manifest = readManifest(paths.state)
  if (scope) return planUninstall(paths, manifest, [scope])
  return planUninstall(paths, manifest, SCOPES, ['user'])
}

async function runInteractively(
  plan: () => UninstallPlan,
  values: OptionValues,
  paths: InstallPaths,
  terminal: Terminal,
): Promise<ExitCode> {
  const shown = plan()
  const { changes, problems, copies } = shown
  terminal.err(fileProblemLines(problems, paths))
  terminal.out(untrackedHookLines(shown, paths))
  if (changes.length + copies.length + shown.done.length === 0) {
    const why = shown.needing.length > 0 || problems.length > 0 ? 'see above' : '`signalbox init` was not run here'
    terminal.out(`Nothing to remove: ${why}.\n`)
    return problems.length > 0 ? 1 : 0
  }
  terminal.out(uninstallPlanLines(shown, paths))
  if (values['dry-run']) {
    terminal.out(
      `${planDiffText({ changes }, paths)}Nothing was changed.\nNext   ${commandNameHere(paths)} uninstall\n`,
    )
    return problems.length > 0 ? 1 : 0
  }
  if (!values.yes) {
    if (!terminal.canAsk) {
      terminal.err(
        `signalbox uninstall: there is no terminal to ask for confirmation, so nothing was changed. To go ahead, run: ${commandNameHere(paths)} uninstall --yes\n`,
      )
      return 2
    }
    if (!/^y(es)?$/i.test((await terminal.ask('Remove it? [y/N] ')).trim())) {
      terminal.out('Nothing was changed.\n')
      return 2
    }
  }
  await applyPlan(plan, shown, paths)
  for (const file of shown.left) terminal.out(`Kept   ${displayPath(file, paths)}, because you changed it\n`)
  terminal.out(endLines(shown, paths))
  return problems.length > 0 ? 1 : 0
}

/** Removes the daemon and its folder with the program. A call during the removal may start another daemon, so it is stopped twice. */
async function applyPlan(plan: () => UninstallPlan, { copies }: UninstallPlan, paths: InstallPaths): Promise<void> {
  if (copies.length > 0) await stopDaemon(paths.state)
  withInstallLock(paths.state, () => applyUninstallPlan(plan(), paths))
  if (copies.length === 0) return
  await stopDaemon(paths.state)
  for (const folder of [runFolderOf(paths.state), ...CACHE_FOLDERS.map(name => join(paths.state, name))])
    rmSync(folder, { recursive: true, force: true })
}

/** Compiled code and policies, which only the program uses. */
const CACHE_FOLDERS = ['code', 'cache']

/** Names every file that still calls Signalbox, so that no removal is reported that did not happen. */
function endLines({ needing, problems }: UninstallPlan, paths: InstallPaths): string {
  const me = commandNameHere(paths)
  const stateLine = `Kept   ${displayPath(paths.state, paths)}/, with the sessions and the audit log\n`
  if (needing.length === 0 && problems.length === 0) return `${stateLine}Done.  Agents no longer call Signalbox.\n`
  const callers = needing.map(file => displayPath(file, paths)).join(', ')
  const program = needing.length > 0 ? `Kept   the program, because ${callers} still calls it\n` : ''
  if (problems.length > 0)
    return `${stateLine}${program}Not everything was removed: ${problems.map(({ file }) => displayPath(file, paths)).join(', ')}\nNext   fix these files, then run ${me} uninstall\n`
  return `${stateLine}${program}Done.  Agents no longer call Signalbox, except through ${callers}\nNext   ${me} uninstall   removes that too\n`
}

/** Without a manifest entry the original file is unknown. This is shown before anything is removed. */
const untrackedHookLines = ({ unrecorded }: UninstallPlan, paths: InstallPaths): string =>
  unrecorded.length === 0
    ? ''
    : `Note   the original of ${unrecorded.map(file => displayPath(file, paths)).join(', ')} is not in ${displayPath(paths.state, paths)}: the hook is removed and the rest of the file stays as it is now. If XDG_STATE_HOME or SIGNALBOX_HOME was set for \`signalbox init\`, set it for this command too\n`

const uninstallPlanLines = ({ changes, copies, left }: UninstallPlan, paths: InstallPaths): string =>
  installPlanLines({ changes, copy: undefined }, paths)
    .replace(/.*original files are kept.*\n/, '')
    .concat(copies.map(data => `       - ${displayPath(data, paths)}/  the program\n`).join(''))
    .concat(left.map(file => `       = ${displayPath(file, paths)}  kept, because you changed it\n`).join(''))

async function runAsJson(
  plan: () => UninstallPlan,
  values: OptionValues,
  paths: InstallPaths,
  terminal: Terminal,
): Promise<ExitCode> {
  const shown = plan()
  const isDone = values.yes === true && values['dry-run'] !== true
  if (isDone) await applyPlan(plan, shown, paths)
  const { changes, problems, left, copies, needing, unrecorded } = shown
  const { changes: list } = installPlanJson({ scope: 'user', changes, problems, copy: undefined })
  terminal.out(
    `${JSON.stringify({ changes: list, problems, remainingFiles: left, programFolders: copies, stillCallingFiles: needing, untrackedFiles: unrecorded, applied: isDone }, null, 2)}\n`,
  )
  if (problems.length > 0) return 1
  return isDone || values['dry-run'] || changes.length + copies.length === 0 ? 0 : 2
}
