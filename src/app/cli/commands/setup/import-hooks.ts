import { join } from 'node:path'
import type { SettingsScope } from '../../../../clients/settings.ts'
import { checkRegex } from '../../../../hook/services/regex.ts'
import { listPackNames, readHookReplacements } from '../../../../policy/compile/compiler.ts'
import { setTrust, trustRequestsOf } from '../../../../policy/index.ts'
import {
  displayPath,
  type HookImportOptions,
  type InstallPaths,
  type InstallPlan,
  type PackReplacement,
} from '../../../install/index.ts'
import type { Terminal } from '../../command.ts'
import { cliDependencies, openProject } from '../../project.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { recordAction } from '../bypass/active-bypasses.ts'

/** How hooks are imported here, or why they cannot be. */
export function hookImportOptionsFor(scope: SettingsScope, paths: InstallPaths, terminal: Terminal): HookImportOptions {
  return {
    regexFault: checkRegex,
    keepReason: findImportBlocker(scope, paths, terminal),
    replacing: packReplacementsFor(scope, terminal),
  }
}

/** Built-in packs and packs in use. A pack is in force if its gates deny or warn wherever the settings apply. */
function packReplacementsFor(scope: SettingsScope, terminal: Terminal): readonly PackReplacement[] {
  const { layers, program } = openProject(terminal, { stores: false }).policy
  const reach = scope === 'user' ? ['managed', 'user'] : ['managed', 'user', 'project']
  const used = layers.filter(({ layer }) => reach.includes(layer)).flatMap(({ packs }) => packs)
  const builtIn = listPackNames(cliDependencies.packsDir).map(id => ({
    id,
    file: join(cliDependencies.packsDir, id, 'pack.yaml'),
  }))
  const files = new Map([...builtIn, ...used].map(({ id, file }) => [file, id]))
  return [...files].flatMap(([file, id]) =>
    readHookReplacements(id, file).map(({ pack, hooks, note, gates }) => {
      const works = program.gates.some(({ name, mode }) => gates.includes(name) && mode !== 'observe')
      return {
        pack,
        hooks,
        note,
        isInForce:
          works &&
          used.some(candidate => candidate.file === file && !INACTIVE_MODES.includes(candidate.options.mode ?? '')),
      }
    }),
  )
}

/** Why hooks stay in their file: a hook moved into a policy that does not run it would be lost. */
function findImportBlocker(
  scope: SettingsScope,
  { project, userPolicy }: InstallPaths,
  terminal: Terminal,
): string | undefined {
  if (scope === 'managed') return 'managed files are not changed'
  const file = scope === 'user' ? userPolicy : `${project}/signalbox.yaml`
  const { layers, problems } = openProject(terminal, { stores: false }).policy
  if (problems.some(problem => problem.file === file))
    return 'the policy that would run it has problems: signalbox check'
  if (scope === 'user') return undefined
  if (!terminal.isPerson)
    return `a project's policy runs hooks only after a person trusts it, and there is nobody to ask (${terminal.doubt ?? 'there is no terminal'})`
  const waits = layers.some(layer => layer.file === file && layer.untrusted.length > 0)
  return waits ? 'the policy that would run it is not trusted yet: signalbox trust' : undefined
}

/** modes in which a pack neither denies nor warns */
const INACTIVE_MODES = ['off', 'observe']

/** The hooks that move and the hooks that stay, each with its reason. */
export function hookImportLines({ adoption, scope }: InstallPlan, paths: InstallPaths): string {
  const lines = adoption.files.flatMap(({ file, adoption: { taken, remaining } }) => {
    const name = displayPath(file, paths)
    return [
      ...taken.map(
        ({ hook, again, replacing }) =>
          `${replacing?.isInForce ? 'Drop   ' : 'Adopt  '}${hook.called}  ${firstLine(hook.run)}\n` +
          `       from ${name}${again ? ', where it is listed twice and runs once' : ''}\n${packReplacementText(replacing)}`,
      ),
      ...remaining.map(
        ({ event, what, why, replacing }) =>
          `Stays  ${event}  ${what}\n       ${why}\n${packReplacementText(replacing)}`,
      ),
    ]
  })
  const trust =
    scope === 'project' && adoption.policy !== undefined
      ? `Trust  ${displayPath(adoption.policy, paths)}, until it changes, because it runs the adopted hooks\n`
      : ''
  return lines.join('') + trust
}

function packReplacementText(replacing: PackReplacement | undefined): string {
  if (!replacing) return ''
  const { pack, isInForce, note } = replacing
  const effect = isInForce
    ? `the pack \`${pack}\` replaces it`
    : `the pack \`${pack}\` would replace it: \`use: [${pack}]\``
  return `       ${effect}${note ? `; ${note}` : ''}\n`
}

const firstLine = (line: string): string => {
  const [first = ''] = line.split('\n', 1)
  return first.length > 50 ? `${first.slice(0, 49)}…` : first
}

/** Trusts the policy that the hooks moved into. A person found what it runs and agreed; without trust, the hooks would not run. */
export function trustImportedHooks({ adoption, scope }: InstallPlan, paths: InstallPaths, terminal: Terminal): void {
  if (scope !== 'project' || adoption.policy === undefined || !terminal.isPerson) return
  const { policy, folders } = openProject(terminal)
  for (const { file, hash, needsTrust } of trustRequestsOf(policy.layers).filter(
    request => request.file === adoption.policy,
  )) {
    if (!setTrust(folders.state, file, hash))
      throw new Error(`could not write to ${folders.state}; run signalbox trust`)
    recordAction(folders, 'trust.given', `${file} ${hash.slice(0, 12)}`, terminal)
    terminal.out(`Trust  ${displayPath(file, paths)}  ${countNoun(needsTrust.length, 'part')}\n`)
  }
}
