import { type Call, has } from './call.ts'
import { join } from './place.ts'

/** Options with which a program succeeds without doing what its words say. */
const IDLE =
  '--help -h -? --version -V --dry-run --collect-only --co --list --list-tests --listTests --if-present --script-shell'

/** The same where the letters mean something else elsewhere. */
const IDLE_OF: ReadonlyMap<string, string> = new Map([
  ['make', '-n -q -t --just-print --recon --question --touch'],
  ['go', '-n'],
  ['pytest', '--fixtures --markers --setup-plan'],
])

/** Does the success of this call prove that it did what its words say? A word that cannot be told may be `--help`. */
export function proves(call: Call): boolean {
  const { line, program, assigns } = call
  const dashes = line.words.findIndex(word => word.text === '--' && word.role === 'option')
  const before = dashes < 0 ? line.words : line.words.slice(0, dashes)
  if (before.some(word => word.text === null && word.role !== 'value')) return false
  if (Object.keys(assigns ?? {}).some(name => name.toLowerCase().startsWith('npm_config_'))) return false
  return !has(call, IDLE) && !has(call, IDLE_OF.get(program) ?? '')
}

/** Options that name the folder a program works in. */
const FOLDER_OF: ReadonlyMap<string, string> = new Map([
  ['git', '-C'],
  ['make', '-C --directory'],
  ['npm', '-C --prefix'],
  ['pnpm', '-C --dir'],
  ['yarn', '--cwd'],
  ['go', '-C'],
  ['cargo', '-C'],
])

/** Where the command works: '' is where the line began, null cannot be told. */
export function folderOf({ scope, program, line }: Call): string | null {
  const [start, other] = scope.cwds
  if (start === undefined || start === null || other !== undefined) return null
  const names = FOLDER_OF.get(program)?.split(' ') ?? []
  const moved = line.options.filter(option => names.includes(option.name)).map(option => option.value?.text ?? null)
  return moved.reduce<string | null>((at, to) => (at === null || to === null ? null : join(at, to)), start)
}
