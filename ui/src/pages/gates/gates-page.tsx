import type { GateCard, GateList } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { useProject } from '../../parts/status.tsx'
import { useRoute } from '../../route/route.ts'
import { plural } from '../../words/number.ts'
import { GateRows } from './gate-rows.tsx'

const LAYERS = ['managed', 'user', 'project', 'local', 'built-in']

/** All gates in force, by layer. */
export function GatesPage() {
  const since = useRoute().query.get('since') ?? '7d'
  const answer = useQuery<GateList>('/api/gates', { project: useProject(), since }, { everyMs: 10_000 })
  return (
    <div className="page">
      <div className="head">
        <h1>Gates</h1>
        <p className="about">what each gate checks, its current state, and its statistics {periodOf(since)}</p>
      </div>
      <QueryView answer={answer} rows={8}>
        {({ gates, problem }) => (
          <>
            {problem && <p className="note-line">{problem}</p>}
            {gates.every(gate => gate.mode === null || gate.layer === 'built-in') && <NoGates />}
            <ByLayer gates={gates} />
          </>
        )}
      </QueryView>
    </div>
  )
}

/** The period in the address: `7d`, `12h` or a date. */
function periodOf(since: string): string {
  const [, n, unit] = /^(\d+)([mhdw])$/.exec(since) ?? []
  if (n === undefined) return `since ${since}`
  return `in ${plural(Number(n), { m: 'minute', h: 'hour', d: 'day', w: 'week' }[unit ?? 'd'] ?? 'day')}`
}

function ByLayer({ gates }: { readonly gates: readonly GateCard[] }) {
  const known = gates.filter(gate => gate.mode !== null)
  const gone = gates.filter(gate => gate.mode === null)
  const layers = [...new Set([...LAYERS, ...known.map(one => one.layer)])]
  return (
    <>
      {layers.map(layer => (
        <GateRows key={layer} title={TITLES[layer] ?? layer} gates={known.filter(one => one.layer === layer)} />
      ))}
      <GateRows title="No longer in this policy" gates={gone} />
    </>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  managed: 'This machine (managed)',
  user: 'Your user policy',
  project: 'This project',
  local: 'This checkout',
  'built-in': 'Built in',
}

const NoGates = () => (
  <div className="sheet">
    <EmptyPage title="No policy here yet: only Signalbox's own files are protected" next="signalbox init">
      A gate is a block in signalbox.yaml. This command creates a first one and shows it before writing.
    </EmptyPage>
  </div>
)
