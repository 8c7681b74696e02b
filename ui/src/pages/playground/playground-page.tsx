import { type KeyboardEvent, useEffect, useState } from 'react'
import type { DecisionDetail, GateList, PolicyDetail } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { useProject, useStatus } from '../../parts/status.tsx'
import { changeQuery, useRoute } from '../../route/route.ts'
import { EventForm } from './event-form.tsx'
import { eventOfRecord } from './event-of-record.ts'
import { PolicyDraft } from './policy-draft.tsx'
import { Results } from './results.tsx'
import { useDraft } from './use-draft.ts'
import { type AssumedStates, usePlayground } from './use-playground.ts'

/** Judges a typed or recorded event by the policy and by a draft. Nothing is stored. */
export function PlaygroundPage() {
  const route = useRoute()
  const project = useProject()
  const { data: situation } = useStatus()
  const shown = project ?? situation?.project
  const record = route.query.get('record')
  const recorded = useQuery<DecisionDetail>(record === null ? null : `/api/decisions/${encodeURIComponent(record)}`)
  const policy = useQuery<PolicyDetail>('/api/policy', { project })
  const gates = useQuery<GateList>('/api/gates', { project })
  const own = policy.data?.layers.find(layer => layer.layer === 'project')
  const [event, setEvent] = useState(route.query.get('event') ?? '')
  const [client, setClient] = useState(route.query.get('client') ?? '')
  const [caller, setCaller] = useState('')
  const [given, setGiven] = useState<AssumedStates>({})
  const [draft, setDraft] = useDraft(shown)
  const [isOld, setOld] = useState(false)
  const judge = usePlayground()

  const isRecord = record !== null && event === ''
  const request = {
    ...(project !== undefined && { project }),
    ...(isRecord ? { record: Number(record) } : { event: event.trim(), client: client || 'claude-code' }),
    ...(caller !== '' && !isRecord && { as: caller }),
    ...(Object.keys(given).length > 0 && { given }),
    ...(draft !== undefined && { policy: draft }),
  }
  const run = (): void => {
    if (!isRecord && event.trim() === '') {
      judge.clear()
      return
    }
    changeQuery(route, isRecord ? {} : { event: event.trim(), client: client || undefined })
    setOld(false)
    judge.ask(request)
  }
  // puts a recorded event into editable shorthand
  useEffect(() => {
    const detail = recorded.data
    if (!detail) return
    const words = eventOfRecord(detail)
    if (words !== undefined) setEvent(words)
    setClient(detail.row.client)
  }, [recorded.data])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the address says
  useEffect(() => {
    setOld(false)
    // a record is judged in its own project
    if (record !== null) judge.ask({ record: Number(record) })
    else if (event !== '') judge.ask(request)
  }, [record])

  // the address changed: typed, followed or gone back to
  const typed = route.query.get('event')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (typed === null || typed === event.trim()) return
    const by = route.query.get('client') ?? ''
    setEvent(typed)
    setClient(by)
    setOld(false)
    judge.ask({ ...request, event: typed, client: by || 'claude-code' })
  }, [typed])

  // shows the policy of the project that answered
  const answered = record === null ? undefined : judge.reply?.project
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (answered !== undefined && answered !== project) changeQuery(route, { project: answered })
  }, [answered])

  const press = (key: KeyboardEvent): void => {
    if (key.key === 'Enter' && (key.ctrlKey || key.metaKey)) run()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields in it
    <div className="page" onKeyDown={press}>
      <div className="head">
        <h1>Playground</h1>
        <p className="about">nothing here is run, enforced or recorded</p>
      </div>
      <div className="columns playground">
        <Sheet title="Event" about={record !== null ? `from record ${record}` : undefined}>
          <EventForm
            clients={situation?.clients ?? []}
            gates={gates.data?.gates ?? []}
            value={{ event, client, caller, given }}
            isRecord={isRecord}
            change={next => {
              setOld(true)
              if (next.event !== undefined) setEvent(next.event)
              if (next.client !== undefined) setClient(next.client)
              if (next.caller !== undefined) setCaller(next.caller)
              if (next.given !== undefined) setGiven(next.given)
            }}
            run={run}
          />
        </Sheet>
        <Results judged={judge} draftText={draft} hasSaved={own !== undefined} isOld={isOld} />
        <PolicyDraft
          layer={own}
          isKnown={policy.data !== undefined && shown !== undefined}
          text={draft}
          change={text => {
            setOld(true)
            setDraft(text)
          }}
        />
      </div>
    </div>
  )
}
