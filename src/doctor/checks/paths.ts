import { isAbsolute, join } from 'node:path'
import { isProgram, isThere, programIn } from '../agents.ts'
import { type Agent, type Case, type Check, mendOf, oursOf, type Registration } from '../case.ts'
import { costOfFailure } from '../cost.ts'
import type { Finding } from '../finding.ts'
import { PROJECT_LAUNCHER as LAUNCHER } from '../program.ts'
import { hookEnv } from '../start.ts'
import { startedBy } from '../words.ts'

/** What the registered commands start, and whether that will be there tomorrow. */
export const paths: Check = {
  ids: ['HOOK-PATH-GONE', 'HOOK-NOT-EXECUTABLE', 'HOOK-NPX', 'HOOK-NODE-VERSION'],
  about: 'the programs that hooks start',
  look: one => one.agents.flatMap(agent => oursOf(agent).flatMap(hook => look(hook, agent, one))),
}

/** Folders that go with a version of Node: the next one does not have what was installed for it. */
const OF_A_VERSION =
  /\/(?:\.nvm\/versions\/node|\.volta\/tools\/image\/(?:node|packages)|fnm\/node-versions|\.asdf\/installs\/nodejs|mise\/installs\/node|\.nodenv\/versions|n\/versions\/node|nodejs\/v?\d+[^/]*|Cellar\/node(?:@\d+)?)\/v?\d*/

function look(hook: Registration, agent: Agent, one: Case): readonly Finding[] {
  const env = hookEnv(agent, hook, one.env, one.root)
  const [first = '', second] = hook.words ?? []
  const started = hook.words
    ? { program: first, ...(isRunner(first) && second && { script: second }) }
    : startedBy(hook.command, env)
  const { client } = agent
  const init = mendOf(agent, hook)
  const found = (id: string, what: string, cost: string, saw: string, fix = init): readonly Finding[] => [
    {
      ...{ id, weight: 'problem', client: client.id, file: hook.file, line: hook.line, cause: `${id} ${what}` },
      ...{ cost, saw: `runs ${one.label(what)}: ${saw}`, fix },
    },
  ]
  // the line looks for it, and lets pass where there is none
  const unchecked = `every ${client.title} call passes unchecked`
  if (hook.command.includes(LAUNCHER) && !isThere(join(one.root, LAUNCHER)))
    return found('HOOK-PATH-GONE', join(one.root, LAUNCHER), unchecked, 'missing')
  const failed = costOfFailure(hook, agent, one)
  if (!started) return []
  const program = programIn(started.program.includes('/') ? from(started.program, one) : started.program, env.PATH)
  if (/(?:^|\/)npx$/.test(started.program))
    return found(
      'HOOK-NPX',
      hook.command,
      'each call waits for npx, and for the network when its cache is empty',
      'it is looked up anew each time',
    )
  if (program === undefined) {
    const file = from(started.program, one)
    return started.program.includes('/') && isThere(file)
      ? found('HOOK-NOT-EXECUTABLE', file, failed, 'not executable', `chmod +x ${quoted(file)}`)
      : found('HOOK-PATH-GONE', started.program, failed, started.program.includes('/') ? 'missing' : 'not on the PATH')
  }
  const script = started.script === undefined ? undefined : from(started.script, one)
  if (script !== undefined && !isThere(script)) return found('HOOK-PATH-GONE', script, failed, 'missing')
  const named = [started.program, started.script ?? ''].filter(part => part.includes('/'))
  const cached = named.find(part => /\/_npx\//.test(part))
  if (cached !== undefined)
    return found('HOOK-NPX', cached, 'npm empties that folder: then every call passes unchecked', 'it is npx’s cache')
  const versioned = named.find(part => OF_A_VERSION.test(part))
  if (versioned === undefined) return []
  return found(
    'HOOK-NODE-VERSION',
    versioned,
    'with the next Node every call passes unchecked',
    'it belongs to one version of Node',
  )
}

const isRunner = (program: string): boolean => /(?:^|\/)(?:node|sh|bash)$/.test(program) && isProgram(program)

const from = (path: string, { root }: Case): string => (isAbsolute(path) ? path : join(root, path))

const quoted = (path: string): string => (/^[\w./~@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
