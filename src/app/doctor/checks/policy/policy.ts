import { dirname } from 'node:path'
import type { LayerReport, PolicyError } from '../../../../policy/index.ts'
import { type DoctorCheck, type DoctorContext, titlesInReach } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Problems of each policy layer. */
export const policyCheck: DoctorCheck = {
  ids: [
    'POLICY-STUCK',
    'POLICY-UNVERIFIED',
    'POLICY-BROKEN',
    'POLICY-EXPOSED',
    'POLICY-IGNORED',
    'POLICY-UNTRUSTED',
    'POLICY-WARNING',
    'NO-POLICY',
  ],
  about: 'the policy, its packs and what is not trusted yet',
  look: context => [
    ...problemFindings(context),
    ...verificationFindings(context),
    ...exposedFindings(context),
    ...untrustedFindings(context),
    ...warningFindings(context),
    ...noPolicyFinding(context),
  ],
}

const problemFindings = ({ policy: { problems, layers } }: DoctorContext): readonly DoctorFinding[] =>
  problems.map(problem => ({
    id: 'POLICY-BROKEN',
    severity: 'problem',
    effect: enforcedInstead(layers.find(({ file }) => file === problem.file)),
    ...locationOf(problem),
    fix: problem.help ?? 'signalbox check',
  }))

/** Whether an agent can get stuck, or gets advice that does not help. */
function verificationFindings({ proof, policy: { layers, problems } }: DoctorContext): readonly DoctorFinding[] {
  const [first] = layers
  if (!first || problems.length > 0) return []
  const { complete, findings, doubts } = proof()
  const open: DoctorFinding = {
    id: 'POLICY-UNVERIFIED',
    severity: 'note',
    effect: 'it is unknown whether an agent can get stuck',
    file: first.file,
    found: doubts[0] ?? 'too many states to try them all',
    fix: 'signalbox check',
  }
  const reported = findings.map(({ what, why, stuck, at }): DoctorFinding => {
    const [, file = at, line] = at.match(/^(.*):(\d+)$/) ?? []
    return {
      id: stuck ? 'POLICY-STUCK' : 'POLICY-UNVERIFIED',
      severity: stuck ? 'problem' : 'note',
      effect: stuck ? 'an agent can get stuck' : 'a part of the policy does less than it says',
      file,
      ...(line !== undefined && { line: Number(line) }),
      found: `${what}: ${why}`,
      fix: 'signalbox check',
    }
  })
  return [...reported, ...(complete && doubts.length === 0 ? [] : [open])]
}

/** What is enforced instead of a file that cannot be used. */
function enforcedInstead(layer: LayerReport | undefined): string {
  switch (layer?.state) {
    case 'last-good':
      return 'an older version of the policy is enforced'
    case 'left-out':
      return 'nothing of this policy is enforced'
    case 'denies':
      return 'every call is denied until the managed policy is fixed'
    default:
      return 'the part with the error is not enforced; the rest is'
  }
}

const locationOf = ({ file, line, column, message }: PolicyError) => ({
  file,
  line,
  found: `column ${column}: ${message}`,
})

/** Other users could have written a policy of the person's own, or a managed one. */
const exposedFindings = ({ policy: { layers }, label }: DoctorContext): readonly DoctorFinding[] =>
  layers.flatMap(({ file, exposed, untrusted }) =>
    exposed === undefined
      ? []
      : [
          {
            id: 'POLICY-EXPOSED',
            severity: 'problem',
            effect: 'other users can change what your agents may do',
            file,
            found: untrusted.length === 0 ? exposed : `${exposed}: what it runs or loosens has no effect`,
            fix: `chmod go-w ${label(file)} ${label(dirname(file))}`,
          },
        ],
  )

const untrustedFindings = ({ policy: { layers } }: DoctorContext): readonly DoctorFinding[] =>
  layers
    .filter(({ untrusted, exposed }) => untrusted.length > 0 && exposed === undefined)
    .map(({ file, untrusted: [first = '', ...more] }) => ({
      id: 'POLICY-UNTRUSTED',
      severity: 'problem',
      effect: 'the parts of this policy that run code or loosen rules are ignored',
      file,
      found: `not trusted yet: ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`,
      fix: 'signalbox trust',
    }))

/** A file that is ignored completely is a problem; other warnings are notes. */
const warningFindings = ({ policy: { warnings } }: DoctorContext): readonly DoctorFinding[] =>
  warnings.map(warning => {
    const isIgnored = /is not read$|is ignored:/.test(warning.message)
    return {
      id: isIgnored ? 'POLICY-IGNORED' : 'POLICY-WARNING',
      severity: isIgnored ? 'problem' : 'note',
      effect: isIgnored ? 'nothing of this policy is enforced' : 'a part of the policy does less than it says',
      ...locationOf(warning),
      fix: warning.help ?? 'signalbox check',
    }
  })

function noPolicyFinding(context: DoctorContext): readonly DoctorFinding[] {
  const { layers, problems, warnings } = context.policy
  if (layers.some(({ layer }) => layer !== 'built-in') || problems.length + warnings.length > 0) return []
  return [
    {
      id: 'NO-POLICY',
      severity: 'note',
      effect: "only Signalbox's own files are protected here",
      found: 'there is no signalbox.yaml in the project, in your home folder, or managed',
      fix:
        context.agents.length + titlesInReach(context).length > 0
          ? 'signalbox init'
          : 'install an agent, then signalbox init',
    },
  ]
}
