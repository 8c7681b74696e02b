import { clients } from '../../../clients/index.ts'
import { quoteShellWord, singleQuote } from '../../../lib/shell-quote.ts'
import { renderIsClosedScript } from './failure-mode-script.ts'

const REASON_PLACEHOLDER = '{why}'
/** An event without a name may be a tool call. */
const UNKNOWN_EVENT = 'tool.before'

interface FailureAnswer {
  /** such as `closed claude-code PreToolUse` */
  readonly key: string
  readonly exitCode: number
  readonly stdout: string
}

/** Each client's failure replies, for when the program itself is missing. */
const failureAnswers: readonly FailureAnswer[] = clients.flatMap(client =>
  (['closed', 'open'] as const).flatMap(answer => {
    const answered = (event: string, name: string | undefined): FailureAnswer => {
      const { exitCode, stdout } = client.failure(answer, name === undefined ? {} : { name }, REASON_PLACEHOLDER)
      return { key: `${answer} ${client.id} ${event}`, exitCode, stdout }
    }
    const named = client.refusable.map(event => answered(event, event))
    return client.refusable.includes(UNKNOWN_EVENT) ? named : [...named, answered(UNKNOWN_EVENT, client.unnamed)]
  }),
)

/** Deniable events of all clients. */
const callEvents = [...new Set([UNKNOWN_EVENT, ...clients.flatMap(({ refusable }) => refusable)])]

const projectFolderWords = clients.flatMap(({ projectEnv }) => (projectEnv ? [`"\${${projectEnv}:-$PWD}"`] : []))

/** Shell function that replies by the failure mode in its arguments, for the event that they or the payload name. `why` has no quotes. */
export function renderFailFunction(): string {
  const outcomes = [...new Set(failureAnswers.map(({ exitCode, stdout }) => JSON.stringify({ exitCode, stdout })))]
  const rows = outcomes.flatMap(outcome => {
    const { exitCode, stdout } = JSON.parse(outcome) as FailureAnswer
    const keys = failureAnswers
      .filter(failureAnswer => failureAnswer.exitCode === exitCode && failureAnswer.stdout === stdout)
      .map(({ key }) => key)
    const printCommand = stdout === '' ? '' : `printf '%s' ${quoteWithReason(stdout)}; echo; `
    return exitCode === 0 && printCommand === ''
      ? []
      : [`  ${keys.map(quoteShellWord).join('|')}) ${printCommand}exit ${exitCode} ;;`]
  })
  return `${renderIsClosedScript()}
fail() {
  why=$1
  shift
  echo "signalbox: $why" >&2
  client='' event='' answer=open payload=''
  while [ $# -gt 0 ]; do
    case $1 in
    --client) client=\${2-} ;;
    --client=*) client=\${1#*=} ;;
    --event) event=\${2-} ;;
    --event=*) event=\${1#*=} ;;
    --on-error) answer=\${2-} ;;
    --on-error=*) answer=\${1#*=} ;;
    esac
    shift
  done
  [ "$answer" = open ] || answer=closed
  [ -t 0 ] || payload=$(cat)
  if is_closed "$PWD" ${projectFolderWords.join(' ')}; then answer=closed; fi
  payload=\${payload%%'"tool_input"'*}
  payload=\${payload%%'"toolInput"'*}
  named=$(printf '%s\\n' "$payload" | sed -n 's/.*"hook_*[eE]vent_*[nN]ame"[[:space:]]*:[[:space:]]*"\\([A-Za-z.]*\\)".*/\\1/p')
  event=\${named:-$event}
  case $event in
  '' | ${callEvents.map(quoteShellWord).join(' | ')} | [Pp]ost* | [Aa]fter* | *.after | *[Dd]enied | *[Ff]ailed | *[Ff]ailure) ;;
  *)
    # an event that no client has, with a call in it
    case $payload in *'"tool_name"'* | *'"toolName"'*) event=${UNKNOWN_EVENT} ;; esac ;;
  esac
  case "$event $payload" in
  ' '*'"tool_name"'* | ' '*'"toolName"'*) event=${UNKNOWN_EVENT} ;;
  ' '*'"prompt"'*) event=prompt ;;
  ' '*) event=${UNKNOWN_EVENT} ;;
  esac
  case "$answer $client $event" in
${rows.join('\n')}
  ${callEvents.map(call => `'closed '*${quoteShellWord(` ${call}`)}`).join('|')}) exit 2 ;;
  esac
  exit 0
}
`
}

/** Quotes a text for the shell, with `$why` in place of the placeholder. */
const quoteWithReason = (text: string): string =>
  text
    .split(REASON_PLACEHOLDER)
    .map(part => (part === '' ? '' : singleQuote(part)))
    .join('"$why"')
