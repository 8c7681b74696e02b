import { quoteShellWord } from '../../../lib/shell-quote.ts'
import { renderFailFunction } from './failure-script.ts'

const MIN_NODE_MAJOR = 20

/** Common locations of Node, if it is not on the PATH. */
const WELL_KNOWN_NODE_PATHS = [
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.local/share/mise/shims/node',
  '"$HOME"/.asdf/shims/node',
  '"$HOME"/.nvm/versions/node/*/bin/node',
  '"$NVM_DIR"/versions/node/*/bin/node',
  '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node',
  '/opt/homebrew/bin/node',
  '/home/linuxbrew/.linuxbrew/bin/node',
  '/usr/local/bin/node',
  '/usr/bin/node',
  '/snap/bin/node',
]

/** Identifies a launcher as ours. */
export const LAUNCHER_MARK = '# Signalbox. Written by `signalbox init`. Agents call this file'

/** What agents start: a script that finds Node and the program, even if they have moved. */
export const renderLauncher = (data: string, node: string): string => `#!/bin/sh
${LAUNCHER_MARK}, so do not move it.
program=${quoteShellWord(data)}/current/bin/signalbox.cjs
node=${quoteShellWord(node)}

${renderFailFunction()}
fits() {
  [ -x "$1" ] && "$1" -e 'process.exit(+(parseInt(process.versions.node) < ${MIN_NODE_MAJOR}))' </dev/null >/dev/null 2>&1
}

if [ ! -x "$node" ]; then
  node=''
  for one in "$(command -v node)" ${WELL_KNOWN_NODE_PATHS.join(' ')}; do
    if fits "$one"; then
      node=$one
      break
    fi
  done
fi
why=''
[ "$node" ] || why='Node ${MIN_NODE_MAJOR} or later was not found; install it'
[ -f "$program" ] || why='the program files are missing; install Signalbox again and run signalbox init'
# Node options that keep Node from starting or limit its memory would end the hook without a reply, and the call would pass
if [ "$node" ] && [ "\${NODE_OPTIONS-}" ]; then
  case $NODE_OPTIONS in
  *max*size*|*max*heap*|*stack*size*) unset NODE_OPTIONS ;;
  *) fits "$node" || unset NODE_OPTIONS ;;
  esac
fi
[ "$why" ] || exec "$node" "$program" "$@"
# the native hook started this script and gives the declared failure answer itself
if [ "\${SIGNALBOX_WATCHED-}" = "$PPID" ]; then
  echo "signalbox: $why" >&2
  exit 3
fi
if [ "\${1-}" != hook ]; then
  echo "signalbox: $why" >&2
  exit 2
fi
shift
fail "$why" "$@"
`

type Environment = Readonly<Record<string, string | undefined>>

/** A program that a project launcher can start: as a shell word of the script, and as the path that the word stands for. */
interface ProgramLocation {
  readonly word: string
  path(project: string, env: Environment): string | undefined
}

const userDataFolder = ({ XDG_DATA_HOME: data = '', HOME: home = '' }: Environment): string =>
  data.startsWith('/') ? data : `${home}/.local/share`

/** In the order in which a project launcher tries them: the person's own, which only they write, then the machine's. */
const INSTALLED_PROGRAMS: readonly ProgramLocation[] = [
  {
    word: `"\${SIGNALBOX_HOME:+$SIGNALBOX_HOME/data/bin/signalbox}"`,
    path: (_, { SIGNALBOX_HOME: moved }) => (moved ? `${moved}/data/bin/signalbox` : undefined),
  },
  { word: '"$data/signalbox/bin/signalbox"', path: (_, env) => `${userDataFolder(env)}/signalbox/bin/signalbox` },
  { word: '/usr/local/lib/signalbox/bin/signalbox', path: () => '/usr/local/lib/signalbox/bin/signalbox' },
]

/** The project's own comes after them, because a cloned project brings it. It starts by `#!/usr/bin/env node`. */
const PROJECT_PROGRAM: ProgramLocation = {
  word: '$here/../node_modules/.bin/signalbox',
  path: project => `${project}/node_modules/.bin/signalbox`,
}

/** The program that a project launcher starts here. `isExecutable` checks a file; `onPath` finds a program on the PATH. */
export function programOfProjectLauncher(
  project: string,
  env: Environment,
  isExecutable: (file: string) => boolean,
  onPath: (name: string) => string | undefined,
): string | undefined {
  const places = [...INSTALLED_PROGRAMS, ...(onPath('node') === undefined ? [] : [PROJECT_PROGRAM])]
  const found = places.flatMap(location => location.path(project, env) ?? []).find(isExecutable)
  return found ?? onPath('signalbox')
}

/** Identifies a project launcher as ours. */
export const PROJECT_LAUNCHER_MARK = '# Signalbox for everybody in this project.'

/** The launcher that is committed with a project: it contains no path of a particular machine. */
export const renderProjectLauncher = (): string => `#!/bin/sh
${PROJECT_LAUNCHER_MARK} Written by \`signalbox init --scope project\`; commit it.
case $0 in */*) here=\${0%/*} ;; *) here=. ;; esac
if [ "\${1-}" = hook ]; then shift; fi

${renderFailFunction()}
# first the user's own program, then the machine's, then the project's, then any on the PATH
case \${XDG_DATA_HOME-} in /*) data=$XDG_DATA_HOME ;; *) data=\${HOME-}/.local/share ;; esac
for one in ${INSTALLED_PROGRAMS.map(location => location.word).join(' ')}; do
  if [ -f "$one" ] && [ -x "$one" ]; then exec "$one" hook "$@" --via project; fi
done
own=${PROJECT_PROGRAM.word}
if [ -f "$own" ] && [ -x "$own" ] && command -v node >/dev/null 2>&1; then exec "$own" hook "$@" --via project; fi
if command -v signalbox >/dev/null 2>&1; then exec signalbox hook "$@" --via project; fi
fail 'this project uses Signalbox, which is not installed here: install it (see its README) and run signalbox init' "$@"
`
