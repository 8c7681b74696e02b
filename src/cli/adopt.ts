import { join } from 'node:path'
import type { Scope } from '../clients/registers.ts'
import { type AdoptWanted, labelOf, type Place, type Plan, type Replacing } from '../install/index.ts'
import { packNames, replacementOf } from '../policy/compiler.ts'
import { setTrust, whatTrustCovers } from '../policy/index.ts'
import { checkRegex } from '../runtime/regex.ts'
import type { Terminal } from './command.ts'
import { count } from './count.ts'
import { audit } from './lifting.ts'
import { openProject, parts } from './project.ts'

/** How hooks are taken over here, or why none can be. */
export function adoptWanted(scope: Scope, place: Place, terminal: Terminal): AdoptWanted {
  return { regexFault: checkRegex, kept: keptBy(scope, place, terminal), replacing: replacingIn(scope, terminal) }
}

/** Built-in packs and those in use. One is in force where its gates refuse or warn wherever the settings count. */
function replacingIn(scope: Scope, terminal: Terminal): readonly Replacing[] {
  const { layers, program } = openProject(terminal, { stores: false }).policy
  const reach = scope === 'user' ? ['managed', 'user'] : ['managed', 'user', 'project']
  const used = layers.filter(({ layer }) => reach.includes(layer)).flatMap(({ packs }) => packs)
  const builtIn = packNames(parts.packsDir).map(id => ({ id, file: join(parts.packsDir, id, 'pack.yaml') }))
  const files = new Map([...builtIn, ...used].map(({ id, file }) => [file, id]))
  return [...files].flatMap(([file, id]) =>
    replacementOf(id, file).map(({ pack, hooks, note, gates }) => {
      const works = program.gates.some(({ name, mode }) => gates.includes(name) && mode !== 'observe')
      return {
        pack,
        hooks,
        note,
        isInForce: works && used.some(one => one.file === file && !IDLE.includes(one.set.mode ?? '')),
      }
    }),
  )
}

/** A hook that goes into a policy which does not run it would be lost. */
function keptBy(scope: Scope, { project, userPolicy }: Place, terminal: Terminal): string | undefined {
  if (scope === 'managed') return 'a managed file stays as its owner wrote it'
  const file = scope === 'user' ? userPolicy : `${project}/signalbox.yaml`
  const { layers, problems } = openProject(terminal, { stores: false }).policy
  if (problems.some(one => one.file === file)) return 'the policy it would go into has problems: signalbox check'
  if (scope === 'user') return undefined
  if (!terminal.isPerson)
    return `a project's policy runs hooks only when a person trusts it, and nobody can be asked (${terminal.doubt ?? 'there is no terminal'})`
  const waits = layers.some(one => one.file === file && one.inert.length > 0)
  return waits ? 'the policy it would go into waits for your trust already: signalbox trust' : undefined
}

/** modes in which a pack neither refuses nor warns */
const IDLE = ['off', 'observe']

/** What moves and what does not, each with its reason. */
export function adoptLines({ adoption, scope }: Plan, place: Place): string {
  const lines = adoption.files.flatMap(({ file, adoption: { taken, staying } }) => {
    const name = labelOf(file, place)
    return [
      ...taken.map(
        ({ hook, again, replacing }) =>
          `${replacing?.isInForce ? 'Drop   ' : 'Adopt  '}${hook.called}  ${short(hook.run)}\n` +
          `       from ${name}${again ? ', where it stands twice and runs once' : ''}\n${packLine(replacing)}`,
      ),
      ...staying.map(
        ({ event, what, why, replacing }) => `Stays  ${event}  ${what}\n       ${why}\n${packLine(replacing)}`,
      ),
    ]
  })
  const trust =
    scope === 'project' && adoption.policy !== undefined
      ? `Trust  ${labelOf(adoption.policy, place)}, until it changes: it runs what is adopted\n`
      : ''
  return lines.join('') + trust
}

function packLine(replacing: Replacing | undefined): string {
  if (!replacing) return ''
  const { pack, isInForce, note } = replacing
  const said = isInForce
    ? `the pack \`${pack}\` replaces it`
    : `the pack \`${pack}\` would replace it: \`use: [${pack}]\``
  return `       ${said}${note ? `; ${note}` : ''}\n`
}

const short = (line: string): string => {
  const [first = ''] = line.split('\n', 1)
  return first.length > 50 ? `${first.slice(0, 49)}…` : first
}

/** A person saw what it runs, and said yes: without it the project's hooks would be lost. */
export function trustAdopted({ adoption, scope }: Plan, place: Place, terminal: Terminal): void {
  if (scope !== 'project' || adoption.policy === undefined || !terminal.isPerson) return
  const { policy, folders } = openProject(terminal)
  for (const { file, hash, covers } of whatTrustCovers(policy.layers).filter(one => one.file === adoption.policy)) {
    if (!setTrust(folders.state, file, hash))
      throw new Error(`could not write to ${folders.state}; run signalbox trust`)
    audit(folders, 'trust.given', `${file} ${hash.slice(0, 12)}`, terminal)
    terminal.out(`Trust  ${labelOf(file, place)}  ${count(covers.length, 'part')}\n`)
  }
}
