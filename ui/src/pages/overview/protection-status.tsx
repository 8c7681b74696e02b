import type { DashboardStatus } from '../../../../src/app/dashboard/api.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { toneOfVerdict } from '../../parts/tone.ts'
import { href } from '../../route/route.ts'
import { fileOf } from '../../words/name.ts'
import { plural } from '../../words/number.ts'
import { protectionText } from '../../words/protection.ts'

/** Whether the policy is enforced, and what to do if it is not. */
export function ProtectionStatus({ situation }: { readonly situation: DashboardStatus }) {
  const { verdict, policy, bypasses: lifted, project } = situation
  // agents call the hook, but no gate is in mode `block`
  const isWeak = policy.watching === policy.gates
  return (
    <div className="verdict">
      <p
        className="verdict-word"
        data-tone={isWeak && verdict.word === 'ENFORCING' ? 'ask' : toneOfVerdict(verdict.word)}
      >
        {verdict.word}
      </p>
      <p className="verdict-why">
        {verdict.why}
        <span className="quiet">
          {' '}
          · <span title={project}>{fileOf(project)}</span>:{' '}
        </span>
        <a className="verdict-gates" href={href(['gates'])}>
          {protectionText(policy)}
        </a>
      </p>
      {verdict.next && verdict.word !== 'ENFORCING' && (
        <div className="verdict-next">
          <CommandLine line={verdict.next} />
        </div>
      )}
      {policy.problems > 0 && (
        <p className="verdict-lifted">
          The policy has {plural(policy.problems, 'problem')}: broken parts are not enforced as written.{' '}
          <a href={href(['policy'])}>See where</a>
        </p>
      )}
      {policy.stuck !== undefined && (
        <p className="verdict-lifted">
          DEADLOCK in the policy: {policy.stuck}. <a href={href(['policy'])}>See the counterexample and the fix</a>
        </p>
      )}
      {lifted.map(line => (
        <p key={line} className="verdict-lifted">
          {line}
        </p>
      ))}
    </div>
  )
}
