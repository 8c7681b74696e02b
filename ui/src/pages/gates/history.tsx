import { useState } from 'react'
import type { DecisionPage } from '../../../../src/app/dashboard/api.ts'
import { CallEndBadge } from '../../parts/call-end.tsx'
import { DecisionBadge } from '../../parts/decision-badge.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useStatus } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { movesText, moveTextOfGate } from '../../words/move.ts'
import { shortClientName, shortSessionId, withProjectPaths } from '../../words/name.ts'
import { DecisionView } from '../feed/decision-view.tsx'
import { type FoldedRow, foldRows } from '../feed/fold.ts'

interface Props {
  readonly page: DecisionPage
  readonly gate: string
}

const MOST = 12

/** Decisions the gate took part in; each opens in place. */
export function History({ page, gate }: Props) {
  const [open, setOpen] = useState<number>()
  const items = foldRows(page.rows, open).slice(0, MOST)
  return (
    <Sheet title="History" end={<a href={href(['feed'], { gate })}>show all in the feed</a>}>
      {items.length === 0 ? (
        <p className="inside quiet">No decision involves this gate yet.</p>
      ) : (
        <ol>
          {items.map(one => (
            <li key={one.oldest}>
              <Row
                item={one}
                gate={gate}
                isOpen={open === one.row.n}
                toggle={() => setOpen(open === one.row.n ? undefined : one.row.n)}
              />
              {open === one.row.n && (
                <div className="feed-below">
                  <DecisionView n={one.row.n} />
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  )
}

interface RowProps {
  readonly item: FoldedRow
  readonly gate: string
  readonly isOpen: boolean
  readonly toggle: () => void
}

function Row({ item: { row, times }, gate, isOpen, toggle }: RowProps) {
  // shows this gate's own result, not the result of another gate on the same call
  const own = row.gate === gate && row.outcome !== 'pass' ? row.outcome : (moveTextOfGate(row, gate) ?? row.outcome)
  const moved = own === row.outcome ? movesText(row) : ''
  const root = useStatus().data?.project
  return (
    <button type="button" className="history-row" data-row aria-expanded={isOpen} onClick={toggle}>
      <span className="quiet">
        <Time at={row.at} />
      </span>
      <DecisionBadge word={own} />
      <span className="cut wide-only" title={row.session}>
        {shortClientName(row.client)} <span className="mono">{shortSessionId(row.session)}</span>
      </span>
      <span className="cut mono" title={row.what}>
        {withProjectPaths(row.what, root)}
        {moved !== '' && <span className="f-moves">{moved}</span>}
      </span>
      <span className="quiet">
        {times > 1 && `×${times} `}
        <CallEndBadge ended={row.ended} />
      </span>
    </button>
  )
}
