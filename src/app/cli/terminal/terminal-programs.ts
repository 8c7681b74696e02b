import type { ProcessInfo } from './process-table.ts'

/** Programs that show a terminal to a person, or carry one from a remote person. Matched by name: see the threat model. */
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

/** Programs that authenticate a person before they give away a console or a graphical session. All run as root. */
const LOGIN_PROGRAMS = new Set(
  'login agetty getty mgetty fgetty mingetty kmscon greetd gdm gdm-session-worker sddm sddm-helper lightdm lxdm xdm ly sshd sshd-session'.split(
    ' ',
  ),
)

/** Folders of system programs. A copied shell named `login` is in another folder. */
const SYSTEM_FOLDER = /^\/(usr|s?bin|lib(exec|64)?|nix|gnu|opt|run\/current-system)\//

/** Judged by the file if it is readable. The file of a root process is not; only there the name is trusted. */
export const isLoginProgram = ({ names, file, path, user }: ProcessInfo): boolean =>
  (user === undefined || user === 0) &&
  (path === undefined || SYSTEM_FOLDER.test(path)) &&
  (file === undefined ? names : [file]).some(name => LOGIN_PROGRAMS.has(normalizeProgramName(name)))

/** An interpreted program in an install folder: `/usr/bin/terminator`. */
const INTERPRETER = /^(python[\d.]*|node|nodejs|perl[\d.]*|java|electron[\d]*)$/
const INSTALL_FOLDER = /^\/(usr|opt|snap|nix)\//
/** Editor and notebook servers that an interpreter runs and that show terminals. */
const EDITOR_SERVER =
  /\/\.?(vscode|vscodium|cursor|windsurf)[\w-]*\/.*\/(bootstrap-fork|server-main)(\.js)?$|\/(code-server|theia|wetty)\/.*\.[cm]?js$|\/jupyter(-\w+)?$|^com\.intellij\.idea\.Main$/

/** Whether the program shows its terminals to a person. Judged by its file if it is readable. */
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

/** The script of an interpreter: its first plain argument. Empty if code or an option's value may come before it. */
function interpretedProgramOf([, ...words]: readonly string[]): string {
  const at = words.findIndex(word => !SELF_CONTAINED_OPTION.test(word) && !CLASSPATH_OPTION.test(word))
  const [before, program = ''] = [words[at - 1] ?? '', words[at]]
  if (!CLASSPATH_OPTION.test(before)) return program.startsWith('-') ? '' : program
  return interpretedProgramOf(words.slice(at))
}
/** options without a separate value that run no code */
const SELF_CONTAINED_OPTION =
  /^--(max-[\w-]+|no-(warnings|deprecation)|dns-result-order|enable-source-maps)(=.*)?$|^-(D|XX?:|ea|server|Xm[sx]|Xss)/
const CLASSPATH_OPTION = /^(-cp|-classpath|--class-path)$/

/** `.kitty-wrapped`, `screen-4.9.1`, `gnome-terminal-` (the kernel cuts names at fifteen characters). */
const normalizeProgramName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\.(.+)-wrapped$/, '$1')
    .replace(/^screen-[\d.]+$/, 'screen')
    .replace(/^gnome-terminal-$/, 'gnome-terminal-server')

/** WSL: the first Linux process relays the terminals under these names. */
const isWslRelay = (names: readonly string[], file = 'init'): boolean =>
  file === 'init' && names.some(name => /^Relay\(|^SessionLeader$/.test(name))

/** macOS: an application bundle with a window. Python is a bundle too, but shows no terminal. */
const isMacAppBundle = (args: readonly string[]): boolean => {
  const [, name = ''] = /^\/[^-]*?([^/]+)\.app\/Contents\//.exec(args.join(' ')) ?? []
  return name !== '' && name !== 'Python'
}
