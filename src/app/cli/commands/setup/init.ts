import { clients } from '../../../../clients/index.ts'
import { clientSettings, clientSettingsById, type SettingsScope } from '../../../../clients/settings.ts'
import {
  applyInstallPlan,
  ChangesNotApplied,
  checkCommandOnPath,
  commandNameHere,
  detectClients,
  gatesSuggestingSignalbox,
  type InitOptions,
  type InstallPaths,
  type InstallPlan,
  planInstall,
  readManifest,
  withCommandName,
  withInstallLock,
} from '../../../install/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { findPolicyProblem, installPathsOf } from '../../environment.ts'
import { openProject, type ProjectContext } from '../../project.ts'
import {
  DEADLOCK_KINDS,
  findingText,
  type ProjectVerification,
  verificationJson,
  verifyProject,
} from '../check/verification.ts'
import { isCanaryBroken, runCanaries } from './canaries.ts'
import { unregisterDeadHooks } from './dead-hooks.ts'
import { hookImportLines, hookImportOptionsFor, trustImportedHooks } from './import-hooks.ts'
import {
  canaryLines,
  enforcementStateOf,
  fileProblemLines,
  foundAgentLines,
  installPlanJson,
  installPlanLines,
  planDiffText,
  suggestClientId,
} from './init-text.ts'

const SCOPES: readonly SettingsScope[] = ['user', 'project', 'managed']

export const initCommand: Command = {
  name: 'init',
  summary: 'Install the hook for the agents on this machine. Shows the changes and asks first.',
  usage: '[--yes] [--client ID]… [--scope user|project|managed] [--adopt] [--dry-run] [--json]',
  example: 'signalbox init --client claude-code --scope project',
  options: {
    yes: { type: 'boolean', short: 'y', about: 'do not ask for confirmation' },
    client: { type: 'string', multiple: true, about: 'only this agent, even if it was not found; can be repeated' },
    scope: {
      type: 'string',
      default: 'user',
      about: 'where to install: user (only you), project (everybody in this repository) or managed (this machine)',
    },
    adopt: { type: 'boolean', about: 'move your existing hook commands into the policy, so that Signalbox runs them' },
    'dry-run': { type: 'boolean', about: 'show the changes without making them' },
    json: { type: 'boolean', about: 'the same as JSON' },
  },
  async run({ values, terminal }) {
    const paths = installPathsOf(terminal)
    const chosen = chooseClientsAndScope(values, paths)
    if (typeof chosen === 'string') {
      terminal.err(`signalbox init: ${withCommandName(chosen, commandNameHere(paths))}\n`)
      return 2
    }
    const project = openProject(terminal, { stores: false })
    const wanted: InitOptions = {
      ...chosen,
      longestHookMs: Math.max(0, ...project.policy.program.hooks.map(({ timeoutMs }) => timeoutMs)),
      policyInForce: project.policy.program,
      findPolicyProblem: memoize(text => findPolicyProblem(text, terminal)),
      ...(values.adopt === true && { adopt: hookImportOptionsFor(chosen.scope, paths, terminal) }),
    }
    return values.json
      ? runAsJson(wanted, paths, values, terminal)
      : runInteractively(wanted, project, paths, values, terminal)
  },
}

type OptionValues = Parameters<Command['run']>[0]['values']

/** The plan is made before and after the question; the check runs once. */
function memoize<T>(ask: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly answer: T }>()
  return text => {
    const answer = known.get(text) ?? { answer: ask(text) }
    known.set(text, answer)
    return answer.answer
  }
}

/** The clients and the scope, or an error text. */
function chooseClientsAndScope(
  values: OptionValues,
  paths: InstallPaths,
): Pick<InitOptions, 'clients' | 'scope'> | string {
  const scope = SCOPES.find(settingsScope => settingsScope === values.scope)
  if (!scope) return `unknown scope \`${values.scope}\`; scopes: ${SCOPES.join(', ')}`
  if (scope === 'project' && !paths.project)
    return 'this folder is not a project: it has no git repository and no package file. Run `git init` first'
  const named = [values.client ?? []].flat().map(String)
  const known = clientSettings.map(({ id }) => id)
  for (const id of named) {
    if (known.includes(id)) continue
    const isServed = clients.some(client => client.id === id)
    if (isServed) return `\`${id}\` has no settings file that \`init\` can write; see docs/clients/${id}.md`
    return `unknown client \`${id}\`; ${suggestClientId(id, known)}clients: ${known.join(', ')}`
  }
  const found = named.length > 0 ? clients.filter(({ id }) => named.includes(id)) : detectClients(paths)
  if (found.length === 0)
    return `no agent was found on this machine. Name one: signalbox init --client ${known[0]}\nclients: ${known.join(', ')}`
  const served = found.filter(({ id }) => clientSettingsById(id)?.files[scope])
  if (served.length > 0) return { clients: served, scope }
  const why = found.map(({ id, title }) => `${title}: ${clientSettingsById(id)?.noManagedFileReason ?? 'no file'}`)
  return `none of the agents found has a settings file for \`--scope ${scope}\`\n${why.join('\n')}`
}

const isEmptyPlan = ({ changes, copy }: InstallPlan): boolean => changes.length === 0 && (copy?.isThere ?? true)

async function runInteractively(
  wanted: InitOptions,
  project: ProjectContext,
  paths: InstallPaths,
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const plan = planInstall(wanted, paths, readManifest(paths.state))
  terminal.out(foundAgentLines(wanted, paths))
  terminal.err(fileProblemLines(plan.problems, paths))
  const first = verifyPolicyFor(wanted, project, terminal)
  const isFound = plan.problems.length > 0 || !first.isFine
  if (isEmptyPlan(plan)) {
    // files that could not be read may still need changes
    const words = plan.problems.length > 0 ? 'Nothing was changed.' : 'Nothing to change.'
    const notes = `${deadlockLine(first.proof, paths)}${pathNote(project, paths)}`
    terminal.out(`${hookImportLines(plan, paths)}${first.text}${words}\n${notes}`)
    return isFound ? 1 : 0
  }
  terminal.out(installPlanLines(plan, paths) + hookImportLines(plan, paths) + first.text)
  if (values['dry-run']) {
    terminal.out(`${planDiffText(plan, paths)}Nothing was changed.\nNext   ${commandNameHere(paths)} init\n`)
    return isFound ? 1 : 0
  }
  if (!values.yes) {
    if (!terminal.canAsk) {
      terminal.err(
        `signalbox init: there is no terminal to ask for confirmation, so nothing was changed. To go ahead, run: ${commandNameHere(paths)} init${repeatedOptions(values)} --yes\n`,
      )
      return 2
    }
    if (!(await confirmPlan(plan, paths, terminal))) {
      terminal.out('Nothing was changed.\n')
      return 2
    }
  }
  const before = readManifest(paths.state)
  const oneShot = applyShownPlan(wanted, plan, paths) ?? plan.oneShot
  trustImportedHooks(plan, paths, terminal)
  const outcomes = await runCanaries(wanted, paths, terminal)
  const restored = unregisterDeadHooks(outcomes, plan, before, paths)
  const after = openProject(terminal, { stores: false })
  const last = verifyPolicyFor(wanted, after, terminal)
  terminal.out(canaryLines(outcomes, { ...plan, oneShot }, wanted.clients, paths, deadlockLine(last.proof, paths)))
  terminal.err(restored)
  if (last.text !== first.text) terminal.out(last.text)
  terminal.out(pathNote(after, paths))
  return plan.problems.length > 0 || outcomes.some(isCanaryBroken) || !last.isFine ? 1 : 0
}

/** Notes when gates name a command that the agents' shell cannot find, and when policy commands wait for trust. */
function pathNote({ policy }: ProjectContext, paths: InstallPaths): string {
  const gates = gatesSuggestingSignalbox(policy.program)
  const command = checkCommandOnPath(paths)
  const waits = policy.layers.some(({ untrusted }) =>
    untrusted.some(text => /^(setting `orchestrator`|workflow `)/.test(text)),
  )
  return [
    gates.length > 0 && !command.isFound
      ? `Note   ${gates.join(', ')} tells agents to run \`signalbox …\`, but \`signalbox\` is not on the PATH. Denials show its full path, other texts do not. Fix: ${command.fix}\n`
      : '',
    waits ? "Note   the project's commands need `signalbox trust`; run init again afterwards\n" : '',
  ].join('')
}

/** Checks whether a chosen agent can get stuck under the policy. Shown before the person is asked to apply the plan. */
function verifyPolicyFor({ clients: chosen }: InitOptions, project: ProjectContext, terminal: Terminal) {
  const isOwn = project.policy.layers.some(({ layer }) => layer !== 'built-in')
  if (!isOwn) return { isFine: true, text: '', proof: undefined }
  const proof = verifyProject(
    project,
    chosen.map(({ id }) => id),
    terminal,
    { isToday: true },
  )
  const text = [...proof.findings, ...proof.inconclusive].map(finding => `\n${findingText(finding)}`).join('')
  return { isFine: proof.findings.length === 0, text: text && `${text}\n`, proof }
}

/** A denied canary does not show that an agent can get stuck. */
function deadlockLine(proof: ProjectVerification | undefined, paths: InstallPaths): string {
  const stuck = proof?.findings.filter(({ kind }) => DEADLOCK_KINDS.has(kind)) ?? []
  const [first] = stuck
  if (!first) return ''
  const more = stuck.length > 1 ? `, and ${stuck.length - 1} more` : ''
  return `STUCK  the policy is active, and an agent can get stuck in it: ${first.what}${more}. To see the fix, run ${commandNameHere(paths)} check\n`
}

/** Only yes is yes, an empty answer is no, and anything else asks again. */
async function confirmPlan(plan: InstallPlan, paths: InstallPaths, terminal: Terminal): Promise<boolean> {
  for (;;) {
    const answer = (await terminal.ask('Apply? [y/N/d = diff] ')).trim()
    if (/^y(es)?$/i.test(answer)) return true
    if (/^(n(o)?)?$/i.test(answer)) return false
    terminal.out(
      /^d(iff)?$/i.test(answer) ? planDiffText(plan, paths) : 'y applies the changes, n cancels, d shows the changes\n',
    )
  }
}

/**
 * Runs under the install lock. Another process may have applied parts of it, but nothing is written that was not shown. Returns
 * why there is no native hook, if that turns out only now.
 */
function applyShownPlan(wanted: InitOptions, shown: InstallPlan, paths: InstallPaths): string | undefined {
  return withInstallLock(paths.state, () => {
    const plan = planInstall(wanted, paths, readManifest(paths.state))
    const isShown = plan.changes.every(change =>
      shown.changes.some(({ file, after }) => file === change.file && isSameBytes(after, change.after)),
    )
    if (!isShown) throw new Error('files changed in the meantime, so nothing was written; run the command again')
    try {
      return applyInstallPlan(plan, paths)
    } catch (error) {
      const isRight = error instanceof ChangesNotApplied && wanted.scope === 'managed'
      throw isRight ? new Error(`${error.message}; \`--scope managed\` must be run as root`) : error
    }
  })
}

const isSameBytes = (a: Buffer | null, b: Buffer | null): boolean => (a && b ? a.equals(b) : a === b)

async function runAsJson(
  wanted: InitOptions,
  paths: InstallPaths,
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const plan = planInstall(wanted, paths, readManifest(paths.state))
  const isDone = values.yes === true && values['dry-run'] !== true
  let { oneShot } = plan
  const before = readManifest(paths.state)
  if (isDone && !isEmptyPlan(plan)) {
    oneShot = applyShownPlan(wanted, plan, paths) ?? oneShot
    trustImportedHooks(plan, paths, terminal)
  }
  const outcomes = isDone ? await runCanaries(wanted, paths, terminal) : []
  terminal.err(unregisterDeadHooks(outcomes, plan, before, paths))
  const { isFine, proof } = verifyPolicyFor(wanted, openProject(terminal, { stores: false }), terminal)
  const testCalls = outcomes.map(({ disabledReason, why = disabledReason?.why, isDead, ...one }) => ({
    ...one,
    ...(why !== undefined && { reason: why }),
    ...(isDead !== undefined && { isBroken: isDead }),
    state: enforcementStateOf({ ...one, disabledReason }),
  }))
  terminal.out(
    `${JSON.stringify({ ...installPlanJson({ ...plan, oneShot }), applied: isDone && !isEmptyPlan(plan), testCalls, ...(proof && { verification: verificationJson(proof) }) }, null, 2)}\n`,
  )
  if (plan.problems.length > 0 || outcomes.some(isCanaryBroken) || !isFine) return 1
  return isDone || values['dry-run'] || isEmptyPlan(plan) ? 0 : 2
}

/** The other options, to be repeated in a suggested command. */
const repeatedOptions = ({ client, scope, adopt }: OptionValues): string =>
  [
    ...(Array.isArray(client) ? client.map(item => ` --client ${item}`) : []),
    ...(scope === 'user' ? [] : [` --scope ${scope}`]),
    ...(adopt ? [' --adopt'] : []),
  ].join('')
