import { clientById, clients } from '../../../../clients/index.ts'
import { didYouMean } from '../../../../policy/index.ts'
import {
  type DoctorCheck,
  type DoctorContext,
  hooksThatCanDeny,
  type InstalledAgent,
  initCommandFor,
  ownHooksOf,
  type RegisteredHook,
  repairCommandFor,
  titlesInReach,
  unloadedFilesOf,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Whether Signalbox is registered for every event, only once, and with the right client and event. */
export const registrationCheck: DoctorCheck = {
  ids: ['NO-AGENT', 'HOOK-MISSING', 'HOOK-EVENTS', 'HOOK-DUPLICATE', 'HOOK-OTHER-CLIENT', 'HOOK-EVENT-MISSING'],
  about: 'hooks registered for each agent and scope',
  look: context => [
    ...noAgentFinding(context),
    ...context.agents.flatMap(agent => [
      ...missingHookFinding(agent),
      ...missingEventsFinding(agent),
      ...duplicateHookFinding(agent, context),
      ...wrongClientFindings(agent),
      ...missingEventOptionFindings(agent),
    ]),
  ],
}

function noAgentFinding(context: DoctorContext): readonly DoctorFinding[] {
  if (context.agents.length > 0) return []
  const found = titlesInReach(context)
  if (found.length > 0)
    return [
      {
        ...{ id: 'NO-AGENT', severity: 'note', effect: 'no agent calls Signalbox' },
        found: `no settings file calls Signalbox; ${found.join(', ')} ${found.length > 1 ? 'are' : 'is'} on this machine`,
        fix: 'signalbox init',
      },
    ]
  return [
    {
      ...{ id: 'NO-AGENT', severity: 'note', effect: 'there is no agent whose calls could be checked' },
      found: 'no agent is on the PATH, and no settings file calls Signalbox',
      fix: 'install an agent, then signalbox init',
    },
  ]
}

/** Not reported if a fault in the settings already explains it. */
function missingHookFinding(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client, registering, program, faults } = agent
  const known = faults.some(
    ({ kind, ours }) => kind === 'malformed' || kind === 'unloaded' || kind === 'unreadable' || ours,
  )
  if (ownHooksOf(agent).length > 0 || known) return []
  return [
    {
      ...{ id: 'HOOK-MISSING', severity: 'problem', client: client.id },
      effect: `every ${client.title} call passes unchecked`,
      found:
        program === undefined
          ? '`signalbox init` registered its hook, and it is gone'
          : `${program} is installed; ${registering.files.user} does not call Signalbox`,
      fix: initCommandFor(agent),
    },
  ]
}

function missingEventsFinding(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client, checkup, registering } = agent
  const ours = ownHooksOf(agent)
  const [first] = ours
  if (!first || registering.hook.kind !== 'settings') return []
  const place = { client: client.id, file: first.file, line: first.line }
  const had = new Set(ours.map(({ event }) => event))
  if (!checkup.gates.some(event => had.has(event)))
    return [
      {
        ...{ id: 'HOOK-EVENTS', severity: 'problem', ...place },
        effect: `every ${client.title} call passes unchecked`,
        found: `Signalbox is registered, but not for \`${checkup.gates[0]}\``,
        fix: initCommandFor(agent, first.scope),
      },
    ]
  // each scope has its own file: an event that is registered in another scope counts
  const wanted = registering.hook.entries({ line: '', words: [], timeoutMs: 1 }).map(({ path }) => path.at(-1) ?? '')
  const spelt = (event: string): string => event.toLowerCase()
  const left = wanted.filter(event => ![...had].some(text => spelt(text) === spelt(event)))
  if (left.length === 0 || [...had].some(event => !wanted.includes(event) && checkup.gates.includes(event))) return []
  return [
    {
      ...{ id: 'HOOK-EVENTS', severity: 'problem', ...place },
      effect: 'gates that depend on these events do not open or close',
      found: `not registered for ${left.join(', ')}`,
      fix: initCommandFor(agent, first.scope),
    },
  ]
}

function duplicateHookFinding(agent: InstalledAgent, context: DoctorContext): readonly DoctorFinding[] {
  const { client, checkup } = agent
  const lost = unloadedFilesOf(agent)
  // a hook in a file that is not loaded is no duplicate
  const gates = (checkup.shape === 'code' ? ownHooksOf(agent) : hooksThatCanDeny(agent)).filter(
    ({ file }) => !lost.has(file),
  )
  return [...new Set(gates.map(({ event }) => event))].flatMap((event): readonly DoctorFinding[] => {
    const [first, second] = gates.filter(gate => gate.event === event)
    if (!first || !second) return []
    const isSameFile = first.file === second.file
    return [
      {
        ...{ id: 'HOOK-DUPLICATE', severity: isSameFile ? 'problem' : 'note', client: client.id, cause: 'twice' },
        effect: 'each call starts Signalbox twice: it takes longer, but counts once',
        file: second.file,
        line: second.line,
        found: `registers the hook a second time; the first is ${context.label(first.file)}:${first.line}`,
        fix: isSameFile ? repairCommandFor(agent, second) : removeDuplicateAdvice(agent, first, second, context),
      },
    ]
  })
}

/** Never suggests removing the hook that certainly runs: a plugin that is not known to be enabled is removed first. */
function removeDuplicateAdvice(
  agent: InstalledAgent,
  first: RegisteredHook,
  second: RegisteredHook,
  context: DoctorContext,
): string {
  const diagnosticContext = { files: agent.files, root: context.root, home: context.folders.home, env: context.env }
  const isSure = second.plugin?.state?.(second.file, diagnosticContext) === 'on'
  if (second.plugin && !isSure) return second.plugin.remove
  const goes = second.plugin ? first : second
  // `uninstall` only finds files that `init` writes
  return agent.own.includes(goes.file)
    ? `signalbox uninstall --scope ${goes.scope}`
    : `remove the hooks that call \`signalbox\` from ${context.label(goes.file)}`
}

function wrongClientFindings(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client } = agent
  return ownHooksOf(agent)
    .filter(({ names }) => names !== client.id)
    .map(
      (hook): DoctorFinding => ({
        ...{ id: 'HOOK-OTHER-CLIENT', severity: 'problem', client: client.id, cause: `${hook.file} ${hook.names}` },
        effect: `${client.title} does not understand such replies: a denial has no effect`,
        file: hook.file,
        line: hook.line,
        found: describeClientOption(hook),
        fix: repairCommandFor(agent, hook),
      }),
    )
}

function describeClientOption({ names }: RegisteredHook): string {
  if (names === undefined) return 'the command has no `--client`'
  const known = clientById(names)
  if (known) return `the command has \`--client ${names}\`, which is ${known.title}`
  const ids = clients.map(({ id }) => id)
  return `\`--client ${names}\` is not a known client; ${didYouMean(names, ids) ?? `known: ${ids.join(', ')}`}`
}

function missingEventOptionFindings(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client, checkup } = agent
  return ownHooksOf(agent).flatMap((hook): readonly DoctorFinding[] => {
    const eventName = /--event[ =]["']?([\w.-]+)/.exec(hook.command)?.[1]
    const isCorrect = eventName === hook.event || (eventName === undefined && !checkup.omitsEventName?.(hook.event))
    if (isCorrect) return []
    return [
      {
        ...{
          id: 'HOOK-EVENT-MISSING',
          severity: 'problem',
          client: client.id,
          cause: `${hook.file} ${eventName === undefined}`,
        },
        effect:
          eventName === undefined
            ? 'its payloads do not name the event, so they pass unchecked'
            : 'calls are treated as another event',
        file: hook.file,
        line: hook.line,
        found:
          eventName === undefined
            ? `no \`--event ${hook.event}\` in the command`
            : `the hook of \`${hook.event}\` has \`--event ${eventName}\``,
        fix: repairCommandFor(agent, hook),
      },
    ]
  })
}
