import { clients } from '../clients/index.ts'
import { isClosedScript } from './posture-script.ts'
import { quoted } from './quote.ts'

const WHY = '{why}'
/** What nobody names may be a call. */
const UNKNOWN = 'tool.before'

interface Answer {
  /** `closed claude-code PreToolUse` */
  readonly key: string
  readonly exitCode: number
  readonly stdout: string
}

/** What each agent is answered when there is no program to answer it, in its own words. */
const answers: readonly Answer[] = clients.flatMap(client =>
  (['closed', 'open'] as const).flatMap(answer => {
    const answered = (event: string, name: string | undefined): Answer => {
      const { exitCode, stdout } = client.failure(answer, name === undefined ? {} : { name }, WHY)
      return { key: `${answer} ${client.id} ${event}`, exitCode, stdout }
    }
    const named = client.refusable.map(event => answered(event, event))
    return client.refusable.includes(UNKNOWN) ? named : [...named, answered(UNKNOWN, client.unnamed)]
  }),
)

/** Of whoever it is. */
const calls = [...new Set([UNKNOWN, ...clients.flatMap(({ refusable }) => refusable)])]

const folders = clients.flatMap(({ projectEnv }) => (projectEnv ? [`"\${${projectEnv}:-$PWD}"`] : []))

/** Of a shell script: answers as declared in its arguments, for the event they or the payload name. `why` has no quotes in it. */
export function failFunction(): string {
  const outcomes = [...new Set(answers.map(({ exitCode, stdout }) => JSON.stringify({ exitCode, stdout })))]
  const rows = outcomes.flatMap(outcome => {
    const { exitCode, stdout } = JSON.parse(outcome) as Answer
    const keys = answers.filter(one => one.exitCode === exitCode && one.stdout === stdout).map(({ key }) => key)
    const say = stdout === '' ? '' : `printf '%s' ${said(stdout)}; echo; `
    return exitCode === 0 && say === '' ? [] : [`  ${keys.map(quoted).join('|')}) ${say}exit ${exitCode} ;;`]
  })
  return `${isClosedScript()}
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
  [ -t 0 ] || payload=$(cat)
  if is_closed "$PWD" ${folders.join(' ')}; then answer=closed; fi
  payload=\${payload%%'"tool_input"'*}
  told=$(printf '%s\\n' "$payload" | sed -n 's/.*"hook_event_name"[[:space:]]*:[[:space:]]*"\\([A-Za-z.]*\\)".*/\\1/p')
  event=\${told:-$event}
  case "$event $payload" in
  ' '*'"tool_name"'* | ' '*'"toolName"'*) event=${UNKNOWN} ;;
  ' '*'"prompt"'*) event=prompt ;;
  ' '*) event=${UNKNOWN} ;;
  esac
  case "$answer $client $event" in
${rows.join('\n')}
  ${calls.map(call => `'closed '*${quoted(` ${call}`)}`).join('|')}) exit 2 ;;
  esac
  exit 0
}
`
}

/** Words of a shell, with `$why` where it belongs. */
const said = (text: string): string =>
  text
    .split(WHY)
    .map(part => (part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`))
    .join('"$why"')
