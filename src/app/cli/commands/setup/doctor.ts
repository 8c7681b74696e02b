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
import { hookInstallationJson } from '../status/status-json.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Find what is wrong, what it means for you, and the command that fixes it.',
  usage: '[--live [--yes]] [-v] [--json]',
  example: 'signalbox doctor --live',
  options: {
    live: {
      type: 'boolean',
      about: 'send a harmless test call through each installed hook; then, if you agree, run the agents too',
    },
    yes: {
      type: 'boolean',
      short: 'y',
      about: 'with --live: run the agents without asking (offline, in a temporary home folder)',
    },
    verbose: { type: 'boolean', short: 'v', about: 'also list the checks that passed (-v)' },
    json: { type: 'boolean', about: 'the same as JSON' },
  },
  async run({ values, terminal }) {
    if (values.yes === true && values.live !== true) {
      terminal.err('signalbox doctor: `--yes` works only with `--live`: signalbox doctor --live --yes\n')
      return 2
    }
    const { env, cwd } = terminal
    const paths = installPathsOf(terminal)
    const me = commandNameHere(paths)
    const project = openProject(assertAbsoluteHome(terminal), { stores: false })
    const { root, folders, policy, label } = project
    const context = createDoctorContext({
      env,
      cwd,
      root,
      folders,
      policy,
      label,
      proof: () => verificationForDoctor(project, terminal),
      now: Date.now(),
      version: VERSION,
      startCommand: reinstallCommandName(paths),
    })
    const looked = runDoctorChecks(context)
    const found = looked.flatMap(({ findings }) => findings)
    let wasAsked = false
    const mayRun = async (titles: readonly string[]): Promise<boolean> => {
      if (values.yes === true) return true
      if (values.json === true || !terminal.canAsk) return false
      wasAsked = true
      return confirmLiveRun(titles, terminal)
    }
    const proofs = values.live === true ? await runLiveProofs(context, mayRun) : []
    const shown = groupByCause([...found, ...newFindingsOf(proofs, found)]).map(group => ({
      ...group,
      fix: withCommandName(group.fix, me),
    }))
    const fine = looked.filter(({ findings }) => findings.length === 0).map(({ about }) => about)
    const problems = shown.filter(({ severity }) => severity === 'problem')
    const notes = shown.filter(({ severity }) => severity === 'note')
    const resident = await inspectHookInstallation(env, folders)
    if (values.json === true) {
      const live = proofs.map(({ finding: _, why, ...proof }) => ({
        ...proof,
        ...(why !== undefined && { reason: why }),
      }))
      terminal.out(
        `${JSON.stringify({ ok: problems.length === 0, problems, notes, passed: fine, hook: hookInstallationJson(resident), ...(values.live && { live }) }, null, 2)}\n`,
      )
    } else {
      const report = {
        problems,
        notes,
        fine,
        proofs,
        resident,
        label,
        me,
        retention: retentionText(policy.program),
        verbose: values.verbose === true,
        live: values.live === true,
      }
      const unrun = values.live === true && !wasAsked && values.yes !== true
      printReport({ ...report, wereAgentsSkipped: unrun }, terminal)
    }
    return problems.length > 0 ? 1 : 0
  },
}

async function confirmLiveRun(titles: readonly string[], { ask, out }: Terminal): Promise<boolean> {
  out(
    `To check that a denial is enforced, doctor can run ${titles.join(', ')} once each: unattended, with a local test model\n(no key, no cost), in a temporary home folder. None of your files are changed.\n`,
  )
  return /^y(es)?$/i.test((await ask('Run them? [y/N] ')).trim())
}

/** Drops canary findings whose cause is already reported. */
function newFindingsOf(proofs: readonly LiveProof[], known: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const causes = known.filter(({ severity, id }) => severity === 'problem' && /^(HOOK|FOLDER|SETTINGS)/.test(id))
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
  readonly retention: string
  readonly verbose: boolean
  readonly live: boolean
  /** no person could be asked and `--yes` was not given, so agents were not run */
  readonly wereAgentsSkipped: boolean
}

function printReport(
  { problems, notes, fine, proofs, resident, label, me, retention, verbose, live, wereAgentsSkipped }: DoctorReport,
  terminal: Terminal,
): void {
  const { out } = terminal
  const paint = coloursOf(terminal)
  const rest = `${countNoun(fine.length, 'check')} passed${verbose || fine.length === 0 ? '' : ' (-v lists them)'}`
  out(problems.length === 0 ? `No problems, ${rest}\n` : `${countNoun(problems.length, 'problem')}, ${rest}\n`)
  for (const [nth, problem] of problems.entries())
    out(findingLines(problem, `${nth + 1} ${paint.red(problem.id)}`, label))
  for (const note of notes) out(findingLines(note, `note ${note.id}`, label))
  if (verbose) for (const about of fine) out(`passed ${about}\n`)
  if (verbose) out(`kept ${retention}\n`)
  if (resident.hook !== 'not installed')
    out(`hook ${hookInstallationText(resident, at => formatAge(Date.now() - at))}\n`)
  for (const proof of proofs) out(`live ${liveProofLine(proof, label)}\n`)
  const isRun = proofs.some(({ kind, verdict }) => kind === 'agent' && verdict !== 'unverified')
  if (wereAgentsSkipped && proofs.length > 0 && !isRun)
    out('live the agents themselves were not run; to run them, add --yes\n')
  if (live && proofs.length === 0) out('live no hook is installed, so there is nothing to test\n')
  const [first] = problems
  if (!first) out(`Next  ${me} ${live ? 'status' : 'doctor --live'}\n`)
}

function findingLines(
  { effect, found, file, line, fix, otherPlaces }: FindingGroup,
  head: string,
  label: (file: string) => string,
): string {
  const place = file ? `${label(file) || '.'}${line === undefined ? '' : `:${line}`} ` : ''
  const again = otherPlaces > 0 ? ` (and ${countNoun(otherPlaces, 'more place')})` : ''
  return `${head}  ${effect}\n  found  ${place}${found}${again}\n  fix    ${fix}\n`
}

function liveProofLine(
  { kind, title, version, file, line, ms, verdict, why, daemonMs }: LiveProof,
  label: (file: string) => string,
): string {
  const agent =
    kind === 'agent' ? `${title}${version ? ` ${version}` : ''} itself` : `${title}  ${label(file ?? '')}:${line}`
  if (verdict === 'unverified') return `${agent}  UNVERIFIED: ${why}`
  if (verdict === 'not-denied') return `${agent}  NOT ENFORCING${why ? `: ${why}` : ''}`
  if (kind === 'agent') return `${agent}  call denied and not run  ENFORCING`
  const again = daemonMs === undefined ? ', one-shot' : `, by the daemon in ${daemonMs} ms`
  return `${agent}  test call denied in ${ms} ms${again}`
}
