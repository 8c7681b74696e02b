import type { ProcessInfo } from './process-table.ts'

/** Programs that show a terminal to a person, or bring one in from where a person is. By name: see the threat model. */
const TERMINAL_EMULATORS = `
  xterm uxterm urxvt urxvtd rxvt st stterm kitty alacritty wezterm wezterm-gui wezterm-mux-server ghostty foot konsole yakuake
  gnome-terminal-server kgx gnome-console ptyxis ptyxis-agent xfce4-terminal lxterminal mate-terminal qterminal tilix tilda
  terminology deepin-terminal io.elementary.terminal cool-retro-term sakura roxterm termite hyper tabby warp warp-terminal
  waveterm wavesrv rio contour blackbox terminator guake iterm2 terminal dolphin kate kdevelop x-terminal-emulator`
const EDITORS = `
  code code-insiders code-oss codium vscodium cursor windsurf zed zed-editor lapce theia idea pycharm webstorm goland clion rider
  phpstorm rubymine rustrover datagrip dataspell studio fleet eclipse`
const REMOTE_SERVERS = `
  sshd sshd-session dropbear mosh-server etserver telnetd in.telnetd login agetty ttyd gotty cockpit-bridge
  xrdp docker dockerd containerd-shim containerd-shim-runc-v2 conmon podman runc crun lxc-start lxd systemd-nspawn
  systemd-machined flatpak-session-helper vshd garcon app_process64`
const MULTIPLEXERS = 'tmux screen zellij dtach abduco'

const KNOWN_PROGRAMS = new Set(
  [TERMINAL_EMULATORS, EDITORS, REMOTE_SERVERS, MULTIPLEXERS].join(' ').trim().split(/\s+/),
)

/** Programs that ask who is there before they give a console away: for it, or in front of its windows. All are root's. */
const LOGIN_PROGRAMS = new Set(
  'login agetty getty mgetty fgetty mingetty kmscon greetd gdm gdm-session-worker sddm sddm-helper lightdm lxdm xdm ly sshd sshd-session'.split(
    ' ',
  ),
)

/** Where a system has its own programs. A copy of a shell that is called `login` is elsewhere. */
const SYSTEM_FOLDER = /^\/(usr|s?bin|lib(exec|64)?|nix|gnu|opt|run\/current-system)\//

/** By its file where that can be seen: of a process of root's it cannot, and its name is believed only there. */
export const isLoginProgram = ({ names, file, path, user }: ProcessInfo): boolean =>
  (user === undefined || user === 0) &&
  (path === undefined || SYSTEM_FOLDER.test(path)) &&
  (file === undefined ? names : [file]).some(name => LOGIN_PROGRAMS.has(normalizeProgramName(name)))

/** A program of another language, in a place of programs: `/usr/bin/terminator`. */
const INTERPRETER = /^(python[\d.]*|node|nodejs|perl[\d.]*|java|electron[\d]*)$/
const INSTALL_FOLDER = /^\/(usr|opt|snap|nix)\//
/** The terminals of an editor or a notebook that such a program serves, by what it runs. */
const EDITOR_SERVER =
  /\/\.?(vscode|vscodium|cursor|windsurf)[\w-]*\/.*\/(bootstrap-fork|server-main)(\.js)?$|\/(code-server|theia|wetty)\/.*\.[cm]?js$|\/jupyter(-\w+)?$|^com\.intellij\.idea\.Main$/

/** Does this program show its terminals to a person? Judged by its file where that can be seen. */
export function isTerminalProgram({ names, file, args }: ProcessInfo): boolean {
  const given = file === undefined ? names : [file]
  if (given.some(name => KNOWN_PROGRAMS.has(normalizeProgramName(name))) || isWslRelay(names, file)) return true
  if (!given.some(name => INTERPRETER.test(name))) return isMacAppBundle(args)
  const program = interpretedProgramOf(args)
  return (
    EDITOR_SERVER.test(program) ||
    (INSTALL_FOLDER.test(program) && KNOWN_PROGRAMS.has(normalizeProgramName(program.split('/').at(-1) ?? '')))
  )
}

/** What an interpreter runs: its first word, and no later one. None where code, or an option's value, may stand before it. */
function interpretedProgramOf([, ...words]: readonly string[]): string {
  const at = words.findIndex(word => !SELF_CONTAINED_OPTION.test(word) && !CLASSPATH_OPTION.test(word))
  const [before, program = ''] = [words[at - 1] ?? '', words[at]]
  if (!CLASSPATH_OPTION.test(before)) return program.startsWith('-') ? '' : program
  return interpretedProgramOf(words.slice(at))
}
/** options that are complete in themselves, and bring no code */
const SELF_CONTAINED_OPTION =
  /^--(max-[\w-]+|no-(warnings|deprecation)|dns-result-order|enable-source-maps)(=.*)?$|^-(D|XX?:|ea|server|Xm[sx]|Xss)/
const CLASSPATH_OPTION = /^(-cp|-classpath|--class-path)$/

/** `.kitty-wrapped`, `screen-4.9.1`, `gnome-terminal-` (the kernel keeps fifteen letters). */
const normalizeProgramName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\.(.+)-wrapped$/, '$1')
    .replace(/^screen-[\d.]+$/, 'screen')
    .replace(/^gnome-terminal-$/, 'gnome-terminal-server')

/** Linux inside Windows: its first process brings the terminals in, under names of their own. */
const isWslRelay = (names: readonly string[], file = 'init'): boolean =>
  file === 'init' && names.some(name => /^Relay\(|^SessionLeader$/.test(name))

/** macOS: an application with a window. Python comes as one too. */
const isMacAppBundle = (args: readonly string[]): boolean => {
  const [, name = ''] = /^\/[^-]*?([^/]+)\.app\/Contents\//.exec(args.join(' ')) ?? []
  return name !== '' && name !== 'Python'
}
