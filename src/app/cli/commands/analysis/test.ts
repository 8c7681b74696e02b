import { statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  findTests,
  githubReport,
  jsonReport,
  junitReport,
  plainReport,
  runTests,
  sarifReport,
  type TestReport,
} from '../../../../analysis/policy-test/index.ts'
import { foldersOf, projectRoot, VERSION } from '../../../../hook/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { localTime } from '../../../../lib/local-time.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { createMask } from '../../../../store/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { cliDependencies } from '../../project.ts'
import { colourVerdicts } from '../../terminal/colours.ts'
import { countNoun } from '../../terminal/count-noun.ts'

const FIRST_TEST_HINT = `Next  write signalbox.test.yaml, e.g.
- name: pushing waits for the tests
  events:
    - { shell: git push, expect: deny }
    - { shell: npm test, after: succeeded }
    - { shell: git push, expect: pass }
`

const REPORTERS = ['text', 'json', 'junit', 'github', 'sarif'] as const
type Reporter = (typeof REPORTERS)[number]

export const testCommand: Command = {
  name: 'test',
  summary: 'Run the policy tests in *.test.yaml and report decisions that differ from the expected ones.',
  usage: '[file or folder …] [--watch] [--reporter text|json|junit|github|sarif] [--here] [--code]',
  example: 'signalbox test',
  options: {
    watch: { type: 'boolean', about: 'run again after every change, until Ctrl+C' },
    reporter: { type: 'string', about: 'text, json, junit, github (annotations in a workflow), sarif' },
    json: { type: 'boolean', about: 'the same as --reporter json' },
    here: { type: 'boolean', about: 'also apply your user policy and the managed policy of this machine' },
    code: { type: 'boolean', about: 'run gates written in code; without it they decide nothing' },
  },
  positionals: true,
  forPrograms: ({ reporter = 'text' }) => reporter !== 'text',
  async run({ values, positionals, terminal }) {
    const reporter = values.json ? 'json' : REPORTERS.find(text => text === (values.reporter ?? 'text'))
    if (!reporter) {
      terminal.err(`signalbox test: unknown reporter \`${values.reporter}\`: ${REPORTERS.join(', ')}\n`)
      return 2
    }
    const also = { here: values.here === true, code: values.code === true }
    const once = (before?: TestRun) => runOnce(positionals, reporter, terminal, { ...also, before: before?.report })
    return values.watch ? watchTests(once, terminal) : once().exitCode
  },
}

interface TestRun {
  readonly exitCode: ExitCode
  readonly read: readonly string[]
  /** whether the set of test files has changed */
  readonly isOther: () => boolean
  readonly report?: TestReport
}

function runOnce(
  named: readonly string[],
  reporter: Reporter,
  terminal: Terminal,
  also: { here: boolean; code: boolean; before: TestReport | undefined },
): TestRun {
  const folders = foldersOf(terminal.env)
  const find = () => findTests(named, terminal.cwd, folders.home)
  const files = find()
  const isOther = () => JSON.stringify(find()) !== JSON.stringify(files)
  if ('problem' in files) {
    terminal.err(`signalbox test: ${files.problem}\n${files.hasPolicy ? FIRST_TEST_HINT : ''}`)
    return { exitCode: 2, read: named.length > 0 && !also.before ? [] : [terminal.cwd], isOther }
  }
  const codeWorker = also.code ? { codeWorker: join(PROGRAM_FOLDER, 'dist/code-worker.mjs') } : {}
  const report = runTests(files, {
    parts: cliDependencies,
    folders,
    regex,
    everyLayer: also.here,
    redactorFor: createMask,
    ...codeWorker,
  })
  terminal.out(formatReport(report, reporter, terminal, also.before))
  const failed = report.cases.some(caseResult => caseResult.failures.length > 0)
  return {
    exitCode: report.problems.length > 0 ? 2 : failed ? 1 : 0,
    read: [...report.read, ...new Set(files.map(dirname))],
    isOther,
    report,
  }
}

function formatReport(
  report: TestReport,
  reporter: Reporter,
  terminal: Terminal,
  before: TestReport | undefined,
): string {
  const { cwd, env, window, width } = terminal
  const named = { label: (file: string) => relative(cwd, file) || file }
  // annotations use paths from the repository root, wherever the command runs
  const top = env.GITHUB_WORKSPACE || projectRoot({ cwd, home: foldersOf(env).home })
  const inRepository = { label: (file: string) => relative(top, file) || file }
  if (reporter === 'json') return jsonReport(report, named)
  if (reporter === 'junit') return junitReport(report, inRepository)
  if (reporter === 'github') return githubReport(report, inRepository) + plainReport(report, inRepository)
  if (reporter === 'sarif') return sarifReport(report, inRepository, VERSION)
  return colourVerdicts(plainReport(report, { ...named, before, width: window?.out ? width : undefined }), terminal)
}

const WATCH_MS = 250

/** Polls the files: editors replace files in ways that a file watcher misses. */
async function watchTests(once: (before?: TestRun) => TestRun, terminal: Terminal): Promise<ExitCode> {
  const { out } = terminal
  let done = false
  const end = () => {
    done = true
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  let ran: TestRun | undefined
  while (!done) {
    const began = Date.now()
    ran = once(ran)
    // the named files do not exist, so there is nothing to wait for
    if (ran.read.length === 0) return ran.exitCode
    const stamps = fileStampsOf(ran.read, began)
    out(watchLine(ran, terminal))
    const isOther = throttle(ran.isOther)
    do await new Promise(resolve => setTimeout(resolve, WATCH_MS))
    while (!done && fileStampsOf(ran.read) === stamps && !isOther())
    if (!done) out('\n')
  }
  return ran?.exitCode ?? 0
}

/** Searching the folders again takes at most a twentieth of the time. */
function throttle(look: () => boolean): () => boolean {
  let next = 0
  return () => {
    const began = performance.now()
    if (began < next) return false
    const found = look()
    const ended = performance.now()
    next = ended + Math.max(1000, 20 * (ended - began))
    return found
  }
}

const MAX_NAMED = 6

/** `14:06:11  1 failed of 3; waiting for a change of signalbox.yaml, a.test.yaml (ctrl-c ends it)` */
function watchLine({ read, report }: TestRun, { cwd }: Terminal): string {
  const files = [...new Set(read)].filter(file => statSync(file, { throwIfNoEntry: false })?.isFile())
  // files of Signalbox itself do not change
  const own = files.filter(file => !file.startsWith(`${PROGRAM_FOLDER}/`)).map(file => relative(cwd, file) || file)
  const more = own.length > MAX_NAMED ? ` and ${own.length - MAX_NAMED} more` : ''
  const named = own.length > 0 ? ` of ${own.slice(0, MAX_NAMED).join(', ')}${more}` : ''
  return `${localTime(Date.now()).slice(-8)}  ${testResultText(report)}; watching for changes${named} (Ctrl+C stops)\n`
}

function testResultText(report: TestReport | undefined): string {
  if (!report) return 'no tests'
  if (report.problems.length > 0) return countNoun(report.problems.length, 'problem')
  const failed = report.cases.filter(caseResult => caseResult.failures.length > 0).length
  return failed === 0 ? `all ${report.cases.length} passed` : `${failed} of ${report.cases.length} failed`
}

/** how far a file's timestamp may lag behind the clock */
const MTIME_LAG_MS = 10

/** A file saved since `began` may have changed while it was read. Its stamp never matches, so it is read again. */
const fileStampsOf = (files: readonly string[], began = Number.POSITIVE_INFINITY): string =>
  files
    .map(file => {
      const stat = statSync(file, { throwIfNoEntry: false })
      if (!stat) return '-'
      const isMissed = stat.ctimeMs >= began - MTIME_LAG_MS && stat.ctimeMs <= Date.now()
      return isMissed ? 'missed' : `${stat.mtimeMs} ${stat.size}`
    })
    .join('\n')
