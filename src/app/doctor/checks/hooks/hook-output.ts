import {
  type DoctorCheck,
  type InstalledAgent,
  initCommandFor,
  ownHooksOf,
  type RegisteredHook,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Whether the agent gets what the hook prints and its exit code, and not a pipe, a file or the next command. */
export const hookOutputCheck: DoctorCheck = {
  ids: ['HOOK-OUTPUT-LOST'],
  about: 'where the replies of hooks go',
  look: context =>
    context.agents.flatMap(agent =>
      ownHooksOf(agent).flatMap(hook => {
        const operator = operatorBehindHook(hook)
        return operator === undefined ? [] : [lostOutputFinding(agent, hook, operator)]
      }),
    ),
}

/** The first shell operator outside of quotes behind the call of Signalbox; without a shell there is none. */
function operatorBehindHook({ command, words }: RegisteredHook): string | undefined {
  const at = command.lastIndexOf(' --client')
  if (words !== undefined || at < 0) return undefined
  const behind = command.slice(at)
  const unquoted = behind.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, '_')
  return /[0-9]*[<>]+&?|\|\|?|&&?|[;\n]/.exec(unquoted.trimEnd())?.[0].trim()
}

const lostOutputFinding = (agent: InstalledAgent, hook: RegisteredHook, operator: string): DoctorFinding => ({
  ...{ id: 'HOOK-OUTPUT-LOST', severity: 'problem', client: agent.client.id, cause: `${hook.file} output` },
  effect: `${agent.client.title} may not get the reply: a denial may have no effect`,
  file: hook.file,
  line: hook.line,
  found:
    operator === '' ? 'another line follows the hook in its command' : `\`${operator}\` after the hook in its command`,
  // `init` takes a command that does more than call Signalbox for the user's own, and adds another
  fix: hook.plugin?.renew ?? `remove that hook from the file; then ${initCommandFor(agent, hook.scope)}`,
})
