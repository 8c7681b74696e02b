import type { Gate } from '../../../engine/index.ts'
import { type Atom, atomsOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { VerificationFinding } from '../report/finding.ts'

/** The gate opens only by a script without a path. A shell finds it only on the PATH; `./check.sh` is another command. */
export function findUnrunnableScript({ profile }: AnalysisContext, gate: Gate): readonly VerificationFinding[] {
  const opening = gate.transitions.filter(transition => transition.to === 'open')
  const scripts = opening.map(transition => (transition.clock ? undefined : bareScriptName(atomsOf(transition.when))))
  const [name] = scripts
  if (gate.initial === undefined || gate.opens === 'human' || !name || scripts.includes(undefined)) return []
  return [
    {
      kind: 'deadlock',
      what: `${gate.name} may be closed with no way left to open it: \`${name}\` is a script without its folder`,
      ...{ clients: profile.clients, gate: gate.id, counterexample: [] },
      why: `a shell runs \`${name}\` only if it is on the PATH; \`./${name}\`, \`bash ${name}\` or a path to it do not match`,
      inconclusiveReason: 'the PATH is not known here',
      fix: [
        {
          at: opening[0]?.at ?? gate.at ?? gate.id,
          advice: `write it as it is run: \`command: ./${name}\`, or with its folder and what runs it`,
        },
      ],
    },
  ]
}

function bareScriptName(atoms: readonly Atom[]): string | undefined {
  const all = atoms.flatMap(atom => (atom.key === 'command' ? atom.in : []))
  const names = all.map(matcher => ('reading' in matcher || matcher.path !== undefined ? undefined : matcher.program))
  return names.every(name => name !== undefined && SCRIPT_NAME.test(name)) ? names[0] : undefined
}

const SCRIPT_NAME = /^[\w-][\w.-]*\.(sh|bash|zsh|fish|py|rb|pl|php|js|cjs|mjs|ts|ps1|cmd|bat)$/i
