import { useState } from 'react'
import type { PolicyFinding, VerificationState } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { TextWithCode as Text } from '../../parts/text-with-code.tsx'
import { formatCount, formatMs, plural } from '../../words/number.ts'

interface Props {
  readonly proof: VerificationState
  readonly project: string | undefined
}

/** The proof that no agent gets stuck. A person starts it, because it takes a while. */
export function Proof({ proof, project }: Props) {
  const [isExpanded, setExpanded] = useState(false)
  const isWanted = isExpanded || proof.state === 'running'
  const answer = useQuery<VerificationState>(isWanted ? '/api/proof' : null, { project }, { everyMs: 1000 })
  const now = (isWanted ? answer.data : undefined) ?? proof
  return (
    <Sheet
      title="Proof"
      about="can an agent get stuck?"
      end={
        now.state === 'unknown' || now.state === 'failed' || (now.state === 'done' && now.isShort) ? (
          <button type="button" className="button" onClick={() => setExpanded(true)}>
            {now.state === 'done' ? 'Run the proof again with all details' : 'Run the proof'}
          </button>
        ) : undefined
      }
    >
      <div className="inside lines" role="status">
        <ProofSummary proof={now} />
      </div>
      {now.state === 'done' && <Findings findings={now.findings} />}
    </Sheet>
  )
}

function ProofSummary({ proof }: { readonly proof: VerificationState }) {
  switch (proof.state) {
    case 'unknown':
      return <p>Not proven yet. The proof explores every combination of gate states and may take some seconds.</p>
    case 'running':
      return <p>Exploring gate states… {formatMs(proof.sinceMs)}</p>
    case 'failed':
      return <p>The proof failed: {proof.error}</p>
    case 'done': {
      const stuck = proof.findings.filter(
        ({ kind, inconclusiveReason }) => isStuck(kind) && inconclusiveReason === undefined,
      ).length
      const how = [
        proof.states !== undefined && plural(proof.states, 'state'),
        proof.tookMs !== undefined && formatMs(proof.tookMs),
      ]
      const details = how.filter(Boolean).join(', ')
      const aside = details && ` · ${details}`
      return (
        <>
          {stuck > 0 ? (
            <p>
              <span className="word" data-tone="deny">
                {plural(stuck, 'DEADLOCK')}
              </span>{' '}
              an agent can get stuck<span className="quiet">{aside}</span>
            </p>
          ) : proof.complete ? (
            <p>
              <span className="word" data-tone="proven">
                proven
              </span>{' '}
              no deadlock: no agent can get stuck<span className="quiet">{aside}</span>
            </p>
          ) : (
            <p>
              <span className="word" data-tone="ask">
                unproven
              </span>{' '}
              no deadlock found, but the proof is not complete<span className="quiet">{aside}</span>
            </p>
          )}
          {proof.notes.map(note => (
            <p key={note} className="quiet">
              <Text text={note} />
            </p>
          ))}
        </>
      )
    }
  }
}

function Findings({ findings }: { readonly findings: readonly PolicyFinding[] }) {
  if (findings.length === 0) return null
  return (
    <ul className="rules findings">
      {findings.map(finding => (
        <li key={`${finding.kind} ${finding.what} ${finding.gate ?? ''}`}>
          <p>
            <span className="word" data-tone={toneOf(finding)}>
              {finding.inconclusiveReason === undefined
                ? isStuck(finding.kind)
                  ? wordOf(finding.kind).toUpperCase()
                  : wordOf(finding.kind)
                : 'not certain'}
            </span>{' '}
            <Text text={finding.what} />
            {finding.why && (
              <span className="quiet">
                {' '}
                · <Text text={finding.why} />
              </span>
            )}
            {finding.inconclusiveReason && (
              <span className="quiet">
                {' '}
                · <Text text={finding.inconclusiveReason} />
              </span>
            )}
          </p>
          {finding.how && (
            <p className="quiet">
              <Text text={finding.how} />
            </p>
          )}
          {finding.counterexample && (
            <ol className="story">
              {finding.counterexample.map((step, nth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
                <li key={nth}>
                  <span className="quiet">{formatCount(nth + 1)}</span> <code>{step.step}</code>{' '}
                  <span className="quiet">{step.result}</span>
                </li>
              ))}
            </ol>
          )}
          {finding.fix?.map(({ at, advice }) => (
            <p key={`${at} ${advice}`}>
              <b>Fix</b> <code>{at}</code> <Text text={advice} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** Findings in which an agent cannot continue. */
/** `cannot-end` as `check` prints it: `cannot end`. */
const wordOf = (kind: PolicyFinding['kind']): string => kind.replace('-', ' ')

const isStuck = (kind: PolicyFinding['kind']): boolean => kind === 'deadlock' || kind === 'cannot-end'

function toneOf({ kind, inconclusiveReason }: PolicyFinding): string {
  if (inconclusiveReason !== undefined) return 'ask'
  return isStuck(kind) ? 'deny' : 'plain'
}
