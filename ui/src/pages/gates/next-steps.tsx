import type { GateDetail } from '../../../../src/app/dashboard/api.ts'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { Time } from '../../parts/time.tsx'

interface Props {
  readonly next: GateDetail['next']
  readonly mode: GateDetail['card']['mode']
}

/** What the next mode would change: observe, warn, block. */
export function NextSteps({ next, mode }: Props) {
  if (!next) return null
  return (
    <section className="next" aria-label="In a stricter mode">
      <p className="steps" aria-hidden="true">
        {(['observe', 'warn', 'block'] as const).map(one => (
          <span key={one} className={one === mode ? 'now' : one === next.mode ? 'then' : ''}>
            {one}
          </span>
        ))}
      </p>
      <p>
        <TextWithCode text={next.text} />{' '}
        <span className="quiet">
          Counted since <Time at={next.since} />.
        </span>
      </p>
    </section>
  )
}
