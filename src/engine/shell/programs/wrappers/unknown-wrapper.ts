import { type Arg, basename, literalArg } from '../../calls/argument.ts'
import { addOpaqueAction, isPackageRunner, type ProgramCall } from '../../calls/program-call.ts'
import { READ_ONLY_PROGRAMS } from '../../calls/read-only-programs.ts'
import { CHECK_PROGRAMS } from '../check-programs.ts'
import { isDescribed } from '../index.ts'

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Programs that run commands only on another machine or in a container, or whose words are names of their own things. */
const OWN_WORDS = toSet(
  'docker podman nerdctl docker-compose podman-compose kubectl oc helm vagrant multipass adb aws gcloud az gsutil rclone s3cmd gh glab bk systemctl journalctl loginctl launchctl service crontab gpg pass rustup nvm fnm volta update-alternatives dpkg rpm apt apt-get apt-cache aptitude dnf yum zypper pacman yay apk brew port choco winget scoop pkg pkg_add emerge',
)
/** Package managers that run the commands in their options here. */
const RUNS_HERE = toSet('dpkg apt apt-get apt-cache aptitude')

export const runsElsewhere = (program: string): boolean => OWN_WORDS.has(program) && !RUNS_HERE.has(program)

/** Package managers: their words are names, unless one of them says that a command follows. */
const PACKAGE_MANAGERS = toSet(
  'pip pip3 pipx uv poetry pdm hatch conda mamba micromamba gem bundle composer snap flatpak nix nix-env asdf mise rtx sdk deno bun pod mix opam cabal stack luarocks cpan cpanm',
)
const RUN_VERB = /^(run|exec|execute|x|shell|develop|env|-c|--command|--run|--)$/

/** Programs whose name is also a common word behind another program: `ninja install`, `just test`. A path to one still counts. */
const COMMON_WORDS = toSet(
  'install test link export import set unset read type source script kill print clean history jobs wait let local float integer shift return exit break continue declare format build run help true false yes date cal users groups id who last file host view more less stat strip head tail sort split join cut paste fold expand diff patch watch time look env printf echo sum comm logger free top base - . : [ update service arch factor seq jar dig apply env login open sync size tree expr hash trap eval mapfile pip ip gem go just task info kind pod vault flux fly snap stern service screen sensors http https volta op bundle R cmd batch at',
)

/** Options whose value is often a shell line. */
const SCRIPT_OPTION = /^(-[a-z]*c|-[ex]|--(run|command|exec|cmd|shell))$/
/** Programs that take a shell line as a word of its own. */
const LINE_RUNNERS = toSet('hyperfine tmux screen entr concurrently nodemon onchange')

export const isProgramName = (word: string): boolean => {
  const name = basename(word)
  if (name === word && COMMON_WORDS.has(name)) return false
  return CHECK_PROGRAMS.has(name) || READ_ONLY_PROGRAMS.has(name) || isDescribed(name)
}

/** `npx eslint src/find`: a tool of the project, whose words are files. */
const isCheckTool = (word: string): boolean => CHECK_PROGRAMS.has(word) || READ_ONLY_PROGRAMS.has(word)

/** `perf stat git commit`: the words from a known program's name on may be a command that this program runs. */
export function readUnknownWrapper(call: ProgramCall, most: number): number {
  const { program, args } = call
  if (call.onlyReads || OWN_WORDS.has(program)) return 0
  const isTool = isPackageRunner(call)
  const isDirect = program.endsWith('x')
  const tool = isTool ? call.line.operands[isDirect ? 0 : 1] : undefined
  let runs = isTool ? isDirect : !PACKAGE_MANAGERS.has(program)
  let count = 0
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? ''
    if (args[at] === tool && isCheckTool(text)) runs = false
    const run = !runs ? undefined : args[at] === tool ? toolCommand(call, at, text) : possibleCommand(call, at, text)
    runs ||= (isTool ? /^(exec|x|dlx|--)$/ : RUN_VERB).test(text)
    if (run === undefined) continue
    if (count >= most) {
      addOpaqueAction(call)
      break
    }
    count += 1
    call.inner.push({ run })
  }
  return count
}

/** `npx prisma@5 migrate reset` runs `prisma migrate reset`. */
const toolCommand = ({ args }: ProgramCall, at: number, text: string): readonly Arg[] | undefined =>
  text === '' ? undefined : [literalArg(text.replace(/(.)@[^/]*$/, '$1')), ...args.slice(at + 1)]

function possibleCommand(
  { program, args }: ProgramCall,
  at: number,
  word: string,
): readonly Arg[] | { script: string } | undefined {
  // zsh reads `=git` as the path of git
  const text = word.startsWith('=') ? word.slice(1) : word
  if (text === '' || text.startsWith('-')) return undefined
  if (!/\s/.test(text)) return isProgramName(text) ? [literalArg(text), ...args.slice(at + 1)] : undefined
  // what `tmux send-keys` types goes to another program
  const isRunner = LINE_RUNNERS.has(program) && !args.some(arg => /^send/.test(arg.text ?? ''))
  const isLine = isRunner || SCRIPT_OPTION.test(args[at - 1]?.text ?? '')
  const [first = ''] = text.trim().split(/\s/)
  return isLine && isProgramName(first) ? { script: text } : undefined
}
