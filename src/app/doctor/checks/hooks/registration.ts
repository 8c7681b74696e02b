import { clientById, clients } from '../../../../clients/index.ts'
import { didYouMean } from '../../../../policy/index.ts'
import {
  type DoctorCheck,
  type DoctorContext,
  denyingHooksOf,
  type InstalledAgent,
  initCommandFor,
  ownHooksOf,
  type RegisteredHook,
  repairCommandFor,
  unloadedFilesOf,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Whether Signalbox is registered for every event, only once, and with the right client and event. */
export const registrationCheck: DoctorCheck = {
  ids: ['NO-AGENT', 'HOOK-MISSING', 'HOOK-EVENTS', 'HOOK-TWICE', 'HOOK-OTHER-CLIENT', 'HOOK-EVENT-UNSAID'],
  about: 'hooks registered for each agent and scope',
  look: one => [
    ...noAgentFinding(one),
    ...one.agents.flatMap(agent => [
      ...missingHookFinding(agent),
      ...missingEventsFinding(agent),
      ...duplicateHookFinding(agent, one),
      ...wrongClientFindings(agent),
      ...missingEventOptionFindings(agent),
    ]),
  ],
}

function noAgentFinding({ agents }: DoctorContext): readonly DoctorFinding[] {
  if (agents.length > 0) return []
  return [
    {
      ...{ id: 'NO-AGENT', weight: 'note', cost: 'there is nobody whose calls could be checked' },
      saw: 'no program of an agent on the PATH, and no settings that name Signalbox',
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
      ...{ id: 'HOOK-MISSING', weight: 'problem', client: client.id },
      cost: `every ${client.title} call passes unchecked`,
      saw: `${program} is installed; ${registering.files.user} does not name Signalbox`,
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
        ...{ id: 'HOOK-EVENTS', weight: 'problem', ...place },
        cost: `every ${client.title} call passes unchecked`,
        saw: `Signalbox is registered, but not for \`${checkup.gates[0]}\``,
        fix: initCommandFor(agent, first.scope),
      },
    ]
  // each scope has its own file: an event that is registered in another scope counts
  const wanted = registering.hook.entries({ line: '', words: [], timeoutMs: 1 }).map(({ path }) => path.at(-1) ?? '')
  const spelt = (event: string): string => event.toLowerCase()
  const left = wanted.filter(event => ![...had].some(one => spelt(one) === spelt(event)))
  if (left.length === 0 || [...had].some(event => !wanted.includes(event) && checkup.gates.includes(event))) return []
  return [
    {
      ...{ id: 'HOOK-EVENTS', weight: 'problem', ...place },
      cost: 'gates that wait for these events neither open nor close',
      saw: `not registered for ${left.join(', ')}`,
      fix: initCommandFor(agent, first.scope),
    },
  ]
}

function duplicateHookFinding(agent: InstalledAgent, one: DoctorContext): readonly DoctorFinding[] {
  const { client, checkup } = agent
  const lost = unloadedFilesOf(agent)
  // a hook in a file that is not loaded is no duplicate
  const gates = (checkup.shape === 'code' ? ownHooksOf(agent) : denyingHooksOf(agent)).filter(
    ({ file }) => !lost.has(file),
  )
  return [...new Set(gates.map(({ event }) => event))].flatMap((event): readonly DoctorFinding[] => {
    const [first, second] = gates.filter(one => one.event === event)
    if (!first || !second) return []
    const isSameFile = first.file === second.file
    return [
      {
        ...{ id: 'HOOK-TWICE', weight: isSameFile ? 'problem' : 'note', client: client.id, cause: 'twice' },
        cost: 'each call starts Signalbox twice; it is counted once, and takes longer',
        file: second.file,
        line: second.line,
        saw: `registers it again, after ${one.label(first.file)}:${first.line}`,
        fix: isSameFile ? repairCommandFor(agent, second) : removeDuplicateAdvice(agent, first, second, one),
      },
    ]
  })
}

/** Never suggests removing the hook that certainly runs: a plugin that is not known to be enabled is removed first. */
function removeDuplicateAdvice(
  agent: InstalledAgent,
  first: RegisteredHook,
  second: RegisteredHook,
  one: DoctorContext,
): string {
  const around = { files: agent.files, root: one.root, home: one.folders.home, env: one.env }
  const isSure = second.plugin?.state?.(second.file, around) === 'on'
  if (second.plugin && !isSure) return second.plugin.remove
  const goes = second.plugin ? first : second
  // `uninstall` only finds files that `init` writes
  return agent.own.includes(goes.file)
    ? `signalbox uninstall --scope ${goes.scope}`
    : `take the hooks that say \`signalbox\` out of ${one.label(goes.file)}`
}

function wrongClientFindings(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client } = agent
  return ownHooksOf(agent)
    .filter(({ names }) => names !== client.id)
    .map(
      (hook): DoctorFinding => ({
        ...{ id: 'HOOK-OTHER-CLIENT', weight: 'problem', client: client.id, cause: `${hook.file} ${hook.names}` },
        cost: `${client.title} does not read such answers: a refusal is not heard`,
        file: hook.file,
        line: hook.line,
        saw: describeClientOption(hook),
        fix: repairCommandFor(agent, hook),
      }),
    )
}

function describeClientOption({ names }: RegisteredHook): string {
  if (names === undefined) return 'the command has no `--client`'
  const known = clientById(names)
  if (known) return `the command says \`--client ${names}\`, which is ${known.title}`
  const ids = clients.map(({ id }) => id)
  return `\`--client ${names}\` is nobody; ${didYouMean(names, ids) ?? `known: ${ids.join(', ')}`}`
}

function missingEventOptionFindings(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client, checkup } = agent
  return ownHooksOf(agent).flatMap((hook): readonly DoctorFinding[] => {
    const said = /--event[ =]["']?([\w.-]+)/.exec(hook.command)?.[1]
    const isSaid = said === hook.event || (said === undefined && !checkup.eventUnsaid?.(hook.event))
    if (isSaid) return []
    return [
      {
        ...{
          id: 'HOOK-EVENT-UNSAID',
          weight: 'problem',
          client: client.id,
          cause: `${hook.file} ${said === undefined}`,
        },
        cost:
          said === undefined
            ? 'its payloads do not name the event: they pass unread'
            : 'calls are taken for another event',
        file: hook.file,
        line: hook.line,
        saw:
          said === undefined
            ? `no \`--event ${hook.event}\` in the command`
            : `\`--event ${said}\` is registered for \`${hook.event}\``,
        fix: repairCommandFor(agent, hook),
      },
    ]
  })
}
