import { foldersOf, storeOptions } from '../../../../hook/index.ts'
import { type ChainVerification, verifyAuditLog } from '../../../../store/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { shortenPath } from '../../project.ts'
import { colourVerdicts } from '../../terminal/colours.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'

const MAX_SHOWN = 10

export const auditVerifyCommand: Command = {
  name: 'audit verify',
  summary: 'Check that the audit log is unchanged. Lists every record that was changed, moved or removed.',
  usage: '[--json]',
  example: 'signalbox audit verify',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  async run({ values, terminal }) {
    const folders = foldersOf(terminal.env)
    const { state, home } = folders
    const progress = createProgressLine(terminal)
    const began = performance.now()
    const onProgress = (done: number, all: number) =>
      progress.update(
        () => `${formatCount(done)} of ${formatCount(all)} records, ${Math.floor((100 * done) / Math.max(all, 1))} %`,
      )
    const found = verifyAuditLog(state, onProgress, storeOptions(folders).beginnings)
    progress.done()
    const ms = Math.round(performance.now() - began)
    if (values.json) return printJson(found, ms, terminal)
    if (!found) {
      terminal.out(colourVerdicts('OK  nothing is recorded yet\n', terminal))
      return 0
    }
    return found.ok
      ? printIntact(found, ms, terminal)
      : printProblems(found, shortenPath(state, terminal.cwd, home), terminal)
  },
}

const formatCount = (n: number): string => n.toLocaleString('en')

function printJson(found: ChainVerification | undefined, ms: number, { out }: Terminal): ExitCode {
  const { ok, records, from, to, problems, intactUpTo, announcedButMissing } = found ?? {
    ok: true,
    records: 0,
    from: 0,
    to: 0,
    problems: [],
  }
  const range = { records, first: records > 0 ? from + 1 : 0, last: to }
  const rest = { ...(intactUpTo && { intactUpTo }), ...(announcedButMissing && { announcedButMissing }) }
  out(`${JSON.stringify({ ok, ...range, problems, ...rest, ms }, null, 2)}\n`)
  return ok ? 0 : 1
}

function printIntact(
  { records, from, to, announcedButMissing = [] }: ChainVerification,
  ms: number,
  terminal: Terminal,
): ExitCode {
  const range = records === 0 ? 'no record' : `${formatCount(records)} ${records === 1 ? 'record' : 'records'}`
  const numbers = records > 1 ? `, ${from + 1} to ${to}` : ''
  const rest = from > 0 ? ` (records up to ${from} were removed by retention)` : ''
  const text = `OK  ${range}${numbers}: unchanged, none missing${rest}, ${(ms / 1000).toFixed(1)} s\n`
  terminal.out(colourVerdicts(text, terminal))
  if (announcedButMissing.length > 0) terminal.out(`Note  ${absentNote(announcedButMissing)}\n`)
  return 0
}

function absentNote(absent: readonly number[]): string {
  const shown = absent.slice(-MAX_SHOWN).join(', ')
  return `announced but missing: record ${shown}. A process was killed while it wrote, or somebody removed the record and the end of \`audit-head\``
}

function printProblems({ problems, intactUpTo }: ChainVerification, state: string, terminal: Terminal): ExitCode {
  const out = (text: string): void => terminal.out(colourVerdicts(text, terminal))
  out(
    `BROKEN  the audit log was changed: ${formatCount(problems.length)}${problems.length >= 100 ? ' or more' : ''} ${problems.length === 1 ? 'problem' : 'problems'}\n`,
  )
  for (const { problem } of problems.slice(0, MAX_SHOWN)) out(`  ${problem}\n`)
  if (problems.length > MAX_SHOWN) out(`  and ${formatCount(problems.length - MAX_SHOWN)} more: --json\n`)
  const first = Math.min(...problems.map(flaw => flaw.seq))
  const between =
    intactUpTo !== undefined && first > intactUpTo + 1 ? `; records up to ${first - 1} cannot be verified` : ''
  if (intactUpTo !== undefined) out(`Intact  all records before record ${intactUpTo + 1}${between}\n`)
  out(`First  copy ${state} before anything else is written to it\n`)
  out('Then  find out who changed it; compare with a backup or an export\n')
  out('Next  signalbox log --since 1d --all --everywhere   what agents did around it\n')
  return 1
}
