import { describeCondition } from '../../../analysis/explain/index.ts'
import { messageOf, tryOr } from '../../../lib/errors.ts'
import { type LayerReport, type Policy, readRegularFile } from '../../../policy/index.ts'
import type { PolicyDetail, PolicyLayer } from '../api.ts'
import type { DashboardBackend } from '../backend.ts'

/** The largest file that the playground offers for editing. */
const MAX_TEXT = 256 << 10

/** The policy in force in a project: its layers, their problems, and the verification result. */
export function policyDetail(backend: DashboardBackend, root: string): PolicyDetail {
  try {
    const { policy, activeBypasses } = backend.open(root)
    const { program, problems, warnings, inactive } = policy
    return {
      project: root,
      hash: program.hash,
      layers: policy.layers.map(toPolicyLayer),
      problems,
      warnings,
      inactive: inactive.map(({ route, command }) => ({ route, command })),
      gates: program.gates.map(({ id, name, layer, mode, at, rules, routes }) => ({
        ...{ id, name, layer, mode, rules: rules.length, routes: routes?.list.length ?? 0 },
        ...(at !== undefined && { at }),
      })),
      hooks: program.hooks.map(({ layer, run, events }) => ({ layer, run, events })),
      allow: program.allow.map(allowList => ({ layer: allowList.layer, lines: allowlistLines(allowList, root) })),
      bypasses: activeBypasses,
      proof: backend.proof(root, { begins: false }),
    }
  } catch (error) {
    return { ...EMPTY_POLICY, project: root, problem: messageOf(error) }
  }
}

const EMPTY_POLICY: Omit<PolicyDetail, 'project'> = {
  ...{ hash: '', layers: [], problems: [], warnings: [], inactive: [], gates: [], hooks: [], allow: [], bypasses: [] },
  proof: { state: 'unknown' },
}

function toPolicyLayer({ trustHash: _, ...layer }: LayerReport): PolicyLayer {
  const text = layer.layer === 'built-in' ? undefined : readPolicyText(layer.file)
  return { ...layer, ...(text !== undefined && { text }) }
}

const readPolicyText = (file: string): string | undefined => tryOr(undefined, () => readRegularFile(file, MAX_TEXT))

const allowlistLines = ({ paths, commands, patterns }: Policy['allow'][number], root: string): readonly string[] => [
  ...paths.map(({ glob }) => `path ${glob.startsWith(`${root}/`) ? glob.slice(root.length + 1) : glob}`),
  ...commands.map(command => describeCondition({ key: 'command', in: [command] }, root)),
  ...patterns.map(pattern => ('regex' in pattern ? `/${pattern.regex}/` : JSON.stringify(pattern))),
]
