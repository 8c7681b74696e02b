import { VERSION } from '../../../../hook/index.ts'
import {
  createDoctorContext,
  type DoctorFinding,
  type FindingGroup,
  groupByCause,
  type HookInstallation,
  hookInstallationText,
  inspectHookInstallation,
  type LiveProof,
  runDoctorChecks,
  runLiveProofs,
} from '../../../doctor/index.ts'
import { commandNameHere, reinstallCommandName, withCommandName } from '../../../install/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { assertAbsoluteHome, installPathsOf } from '../../environment.ts'
import { openProject } from '../../project.ts'
import { coloursOf } from '../../terminal/colours.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { retentionText } from '../audit/retention-setting.ts'
import { verificationForDoctor } from '../check/verification.ts'
import { formatAge } from '../status/status.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'What is wrong here, what it costs, and the command that mends it.',
  usage: '[--live [--yes]] [-v] [--json]',
  about: {
    live: 'sends a harmless call through each registered hook; asks, then runs the agents too',
    yes: 'with --live: runs the agents without asking, offline, in a home of their own',
    verbose: 'also what is fine (-v)',
    json: 'the same as JSON',
  },
  example: 'signalbox doctor --live',
  options: {
    live: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    verbose: { type: 'boolean', short: 'v' },
    json: { type: 'boolean' },
  },
  async run({ values, terminal }) {
    if (values.yes === true && values.live !== true) {
      terminal.err('signalbox doctor: `--yes` belongs to `--live`: signalbox doctor --live --yes\n')
      return 2
    }
    const { env, cwd } = terminal
    const place = installPathsOf(terminal)
    const me = commandNameHere(place)
    const project = openProject(assertAbsoluteHome(terminal), { stores: false })
    const { root, folders, policy, label } = project
    const one = createDoctorContext({
      env,
      cwd,
      root,
      folders,
      policy,
      label,
      proof: () => verificationForDoctor(project, terminal),
      now: Date.now(),
      version: VERSION,
      anew: reinstallCommandName(place),
    })
    const looked = runDoctorChecks(one)
    const found = looked.flatMap(({ findings }) => findings)
    let isAsked = false
    const mayRun = async (titles: readonly string[]): Promise<boolean> => {
      if (values.yes === true) return true
      if (values.json === true || !terminal.canAsk) return false
      isAsked = true
      return confirmLiveRun(titles, terminal)
    }
    const proofs = values.live === true ? await runLiveProofs(one, mayRun) : []
    const shown = groupByCause([...found, ...newFindingsOf(proofs, found)]).map(one => ({
      ...one,
      fix: withCommandName(one.fix, me),
    }))
    const fine = looked.filter(({ findings }) => findings.length === 0).map(({ about }) => about)
    const problems = shown.filter(({ weight }) => weight === 'problem')
    const notes = shown.filter(({ weight }) => weight === 'note')
    const resident = await inspectHookInstallation(env, folders)
    if (values.json === true) {
      const live = proofs.map(({ finding: _, ...proof }) => proof)
      terminal.out(
        `${JSON.stringify({ ok: problems.length === 0, problems, notes, fine, resident, ...(values.live && { live }) }, null, 2)}\n`,
      )
    } else {
      const told = {
        problems,
        notes,
        fine,
        proofs,
        resident,
        label,
        me,
        kept: retentionText(policy.program),
        verbose: values.verbose === true,
        live: values.live === true,
      }
      const unrun = values.live === true && !isAsked && values.yes !== true
      printReport({ ...told, unrun }, terminal)
    }
    return problems.length > 0 ? 1 : 0
  },
}

async function confirmLiveRun(titles: readonly string[], { ask, out }: Terminal): Promise<boolean> {
  out(
    `To see the refusal enforced, ${titles.join(', ')} can be run here once each: without a person, with a model on this\nmachine, no key, no cost, in a home of their own. Nothing of yours is changed.\n`,
  )
  return /^y(es)?$/i.test((await ask('Run them? [y/N] ')).trim())
}

/** Drops canary findings whose cause is already reported. */
function newFindingsOf(proofs: readonly LiveProof[], known: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const causes = known.filter(({ weight, id }) => weight === 'problem' && /^(HOOK|FOLDER|SETTINGS)/.test(id))
  return proofs.flatMap(({ finding }) => {
    if (!finding) return []
    return causes.some(({ client, file }) => client === finding.client && file === finding.file) ? [] : [finding]
  })
}

interface DoctorReport {
  readonly problems: readonly FindingGroup[]
  readonly notes: readonly FindingGroup[]
  readonly fine: readonly string[]
  readonly proofs: readonly LiveProof[]
  readonly resident: HookInstallation
  readonly label: (file: string) => string
  /** the command a person types here */
  readonly me: string
  /** how long the audit log is kept */
  readonly kept: string
  readonly verbose: boolean
  readonly live: boolean
  /** no person could be asked and `--yes` was not given, so agents were not run */
  readonly unrun: boolean
}

function printReport(
  { problems, notes, fine, proofs, resident, label, me, kept, verbose, live, unrun }: DoctorReport,
  terminal: Terminal,
): void {
  const { out } = terminal
  const paint = coloursOf(terminal)
  const rest = `${countNoun(fine.length, 'check')} fine${verbose || fine.length === 0 ? '' : ' (-v lists them)'}`
  out(problems.length === 0 ? `No problems, ${rest}\n` : `${countNoun(problems.length, 'problem')}, ${rest}\n`)
  for (const [nth, problem] of problems.entries())
    out(findingLines(problem, `${nth + 1} ${paint.red(problem.id)}`, label))
  for (const note of notes) out(findingLines(note, `note ${note.id}`, label))
  if (verbose) for (const about of fine) out(`fine ${about}\n`)
  if (verbose) out(`kept ${kept}\n`)
  if (resident.hook !== 'not installed')
    out(`hook ${hookInstallationText(resident, at => formatAge(Date.now() - at))}\n`)
  for (const proof of proofs) out(`live ${liveProofLine(proof, label)}\n`)
  const isRun = proofs.some(({ kind, verdict }) => kind === 'agent' && verdict !== 'unproven')
  if (unrun && proofs.length > 0 && !isRun) out('live the agents themselves were not run: --yes runs them\n')
  if (live && proofs.length === 0) out('live nothing is registered that could be tried\n')
  const [first] = problems
  if (!first) out(`Next  ${me} ${live ? 'status' : 'doctor --live'}\n`)
}

function findingLines(
  { cost, saw, file, line, fix, more }: FindingGroup,
  head: string,
  label: (file: string) => string,
): string {
  const place = file ? `${label(file) || '.'}${line === undefined ? '' : `:${line}`} ` : ''
  const again = more > 0 ? ` (and ${countNoun(more, 'more place')})` : ''
  return `${head}  ${cost}\n  saw  ${place}${saw}${again}\n  fix  ${fix}\n`
}

function liveProofLine(
  { kind, title, version, file, line, ms, verdict, why, daemonMs }: LiveProof,
  label: (file: string) => string,
): string {
  const who =
    kind === 'agent' ? `${title}${version ? ` ${version}` : ''} itself` : `${title}  ${label(file ?? '')}:${line}`
  if (verdict === 'unproven') return `${who}  UNPROVEN: ${why}`
  if (verdict === 'not-refused') return `${who}  NOT ENFORCING${why ? `: ${why}` : ''}`
  if (kind === 'agent') return `${who}  refused, and not run  ENFORCING`
  const again = daemonMs === undefined ? ', one-shot' : `, by the daemon in ${daemonMs} ms`
  return `${who}  canary refused in ${ms} ms${again}`
}
