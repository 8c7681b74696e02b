import type { WorkflowRun, WorkflowStepRun } from '../../../../src/app/dashboard/api.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { plural } from '../../words/number.ts'
import { formatHoursAndMinutes } from '../../words/time.ts'

const TONES = {
  ...{ done: 'proven', running: 'plain', 'to do': 'plain' },
  ...{ waiting: 'ask', stopped: 'ask', interrupted: 'ask', failed: 'deny' },
} as const

const MEANING = {
  ...{ done: 'every step is done', running: 'at work now', 'to do': 'not begun yet' },
  ...{ waiting: 'for a person or a gate', stopped: 'it can be continued', failed: 'it can be tried again' },
  interrupted: 'its process is gone; it can be continued',
} as const

function State({ state }: { readonly state: WorkflowStepRun['state'] }) {
  return (
    <span className="tag" data-tone={TONES[state]} title={MEANING[state]}>
      {state}
    </span>
  )
}

/** One workflow run: its steps in order, and how to resume it. */
export function RunSheet({ run }: { readonly run: WorkflowRun }) {
  const { id, workflow, request, state, why, at, steps } = run
  const isOpen = state !== 'done' && state !== 'running'
  return (
    <Sheet
      title={`${workflow} ${id}`}
      about={request}
      end={
        <>
          <State state={state} /> <Time at={at} as="ago" />
        </>
      }
    >
      <table className="table workflow">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col" className="w-state">
              state
            </th>
            <th scope="col" className="c-mode some-only">
              by
            </th>
            <th scope="col" className="c-mode roomy-only">
              took
            </th>
            <th scope="col" className="w-left">
              artifacts
            </th>
            <th scope="col" className="c-number number roomy-only">
              changed
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may ask a person, and their order is fixed
            <Step key={nth} step={step} />
          ))}
        </tbody>
      </table>
      {isOpen && (
        <div className="inside">
          {why !== undefined && <p>{why}</p>}
          <CommandLine line={`signalbox orchestrate --resume ${id}`} />
        </div>
      )}
    </Sheet>
  )
}

function Step({ step: { id, state, round, ms, backend, artifacts, files } }: { readonly step: WorkflowStepRun }) {
  const left = artifacts.map(artifact => artifact.path).join(', ')
  const hashes = artifacts
    .map(artifact => `${artifact.path}: ${artifact.bytes} bytes, sha256 ${artifact.sha256}`)
    .join('\n')
  return (
    <tr>
      <td className="wraps" title={id}>
        {id}
        {round > 1 && <span className="quiet"> round {round}</span>}
      </td>
      <td>
        <State state={state} />
      </td>
      <td className="some-only">{backend ?? '–'}</td>
      <td className="roomy-only">{ms === undefined ? '–' : formatHoursAndMinutes(ms)}</td>
      <td className="wraps mono" title={hashes || undefined}>
        {left || '–'}
      </td>
      <td className="number roomy-only" title={files.join('\n') || undefined}>
        {files.length === 0 ? '–' : plural(files.length, 'file')}
      </td>
    </tr>
  )
}
