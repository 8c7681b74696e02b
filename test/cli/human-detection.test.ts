import { describe, expect, it } from 'vitest'
import { findHumanDoubt } from '../../src/app/cli/terminal/human-detection.ts'
import type { ProcessInfo, ProcessTable } from '../../src/app/cli/terminal/process-table.ts'
import { allFootprints } from '../../src/clients/footprints.ts'

/** `name`, `name @tty`, `name > file args`, `name =file`, `name ^leader`, `name #user`: one process a line, each the child of the one above it. */
interface Scene {
  /** from the top down to the command itself */
  readonly line: readonly string[]
  /** terminal → the processes, from the top down, of whoever made it */
  readonly makers?: Readonly<Record<string, readonly string[]>>
  /** others that hold it */
  readonly also?: Readonly<Record<string, readonly string[]>>
  readonly env?: Readonly<Record<string, string>>
}

class FakeTable implements ProcessTable {
  private readonly rows: ProcessInfo[] = []
  private readonly made: (readonly [string, ProcessInfo])[] = []
  readonly self: number

  constructor({ line, makers = {}, also = {} }: Scene) {
    this.self = this.add(line)?.pid ?? 0
    for (const [tty, names] of [...Object.entries(makers), ...Object.entries(also)]) {
      const maker = this.add(names)
      if (maker) this.made.push([tty, maker])
    }
  }

  find = (pid: number) => this.rows.find(one => one.pid === pid)

  terminalHolders = (tty: string) => this.made.filter(([made]) => made === tty).map(([, maker]) => maker)

  private add(names: readonly string[]): ProcessInfo | undefined {
    // `init` at the top: whoever started this has gone; else it came from outside of what can be seen
    let parent = 0
    for (const text of names) {
      const [, name = '', user, tty = '', file, leader, args = ''] =
        /^(\S+)(?: #(\d+))?(?: @(\S+))?(?: =(\S+))?(?: \^(\d+))?(?: > (.*))?$/.exec(text) ?? []
      const pid = this.rows.length + 100
      const seen = {
        ...(file && { file: file.split('/').at(-1) ?? '' }),
        ...(file?.startsWith('/') && { path: file }),
        ...(user && { user: Number(user) }),
        ...(leader && { leader: Number(leader) }),
      }
      this.rows.push({ pid, parent, tty, names: [name], args: [name, ...args.split(' ')], ...seen })
      parent = pid
    }
    return this.rows.at(-1)
  }
}

const doubt = (scene: Scene): string | undefined => {
  const table = new FakeTable(scene)
  return findHumanDoubt({ pid: table.self, table, env: scene.env ?? {}, agents: allFootprints })
}
const SHELL = ['bash @pts/1', 'node @pts/1 > /usr/bin/signalbox bypass']

describe('a person is believed', () => {
  const people: Record<string, Scene> = {
    'in a terminal window': {
      line: ['systemd', 'gnome-terminal-', ...SHELL],
      makers: { 'pts/1': ['systemd', 'gnome-terminal-'] },
    },
    'in a terminal that was left alone by what started it': {
      line: ['xterm', ...SHELL],
      makers: { 'pts/1': ['xterm'] },
    },
    'over ssh': { line: ['sshd', 'sshd', ...SHELL] },
    'on the console': { line: ['login', 'bash @4:1', 'node @4:1 > /usr/bin/signalbox off'] },
    'on a console that a display manager gave away': {
      line: ['systemd', 'gdm-session-worker', 'sh @4:2', 'node @4:2 > /usr/bin/signalbox off'],
    },
    'on a console, by the login of the system': {
      line: ['init', 'login #0 =/usr/bin/login', 'bash @4:1', 'node @4:1'],
    },
    'on a serial line': { line: ['init', 'agetty', 'login #0', 'bash @4:64', 'node @4:64'] },
    'on a console of BSD': { line: ['init', 'login', 'sh @ttyv0', 'node @ttyv0'] },
    'in tmux': { line: ['tmux', ...SHELL], makers: { 'pts/1': ['tmux'] } },
    'in the terminal of VS Code': {
      line: ['code', 'code', ...SHELL],
      makers: { 'pts/1': ['code', 'code > --type=utility --utility-sub-type=node.mojom.NodeService'] },
    },
    'in VS Code on another machine': {
      line: ['node > /home/u/.vscode-server/cli/out/server-main.js', 'node', ...SHELL],
      makers: { 'pts/1': ['node > /home/u/.vscode-server/cli/out/bootstrap-fork --type=ptyHost --logsLevel=info'] },
    },
    'in the terminal of a notebook': {
      line: ['python3', ...SHELL],
      makers: { 'pts/1': ['python3 > /home/u/.local/bin/jupyter-lab --no-browser'] },
    },
    'in an IDE that java runs': {
      line: ['java', ...SHELL],
      makers: { 'pts/1': ['java > -Xmx2g -cp /opt/idea/lib/app.jar -Didea.x=1 com.intellij.idea.Main'] },
    },
    'as root, in a terminal of theirs': {
      line: ['xterm', 'bash @pts/0', 'sudo @pts/0 > -s', ...SHELL],
      makers: { 'pts/1': ['xterm', 'bash @pts/0', 'sudo @pts/0 > -s'], 'pts/0': ['xterm'] },
    },
    'in the terminal of Cursor': { line: ['cursor', ...SHELL], makers: { 'pts/1': ['cursor'] } },
    'while `script` records their session': {
      line: ['xterm', 'bash @pts/0', 'script @pts/0 > -q log', ...SHELL],
      makers: { 'pts/1': ['xterm', 'bash @pts/0', 'script @pts/0 > -q log'], 'pts/0': ['xterm'] },
    },
    'in a container': { line: SHELL },
    'in a window of Terminator': {
      line: ['python3', ...SHELL],
      makers: { 'pts/1': ['python3 =python3.11 > /usr/bin/terminator'] },
    },
    'in a window of an IDE of JetBrains': { line: ['idea', ...SHELL], makers: { 'pts/1': ['java =idea'] } },
    'in a terminal with a wrapper': { line: ['kitty', ...SHELL], makers: { 'pts/1': ['kitty =.kitty-wrapped'] } },
    'in screen': { line: ['SCREEN', ...SHELL], makers: { 'pts/1': ['SCREEN =screen-4.9.1'] } },
    'over mosh': { line: ['mosh-server', ...SHELL], makers: { 'pts/1': ['mosh-server =mosh-server'] } },
    'in a terminal whose end its own shell holds too': {
      line: ['xterm', ...SHELL],
      makers: { 'pts/1': ['xterm'] },
      also: { 'pts/1': ['bash @pts/1'] },
    },
    'under the shell the terminal was given to': { line: ['xterm', 'bash @pts/1 ^101', 'node @pts/1 ^101'] },
    'in Linux inside Windows': { line: ['init', 'SessionLeader', 'Relay(9)', ...SHELL] },
    'in a terminal of macOS': {
      line: ['Terminal > x', 'Visual > /Applications/Visual Studio Code.app/Contents/MacOS/Electron', ...SHELL],
    },
    'who works on a project called claude': {
      line: ['xterm', 'bash @pts/1', 'node @pts/1 > /home/u/claude/server.js', ...SHELL],
    },
    'who edits a file of an agent': {
      line: ['xterm', 'vim @pts/1 > /usr/lib/node_modules/@openai/codex/x.js', ...SHELL],
    },
  }
  it.each(Object.keys(people))('%s', name => {
    expect(doubt(people[name] ?? { line: [] })).toBeUndefined()
  })
})

describe('nobody believes', () => {
  const CLAUDE = 'it was started by Claude Code (process '
  const others: Record<string, readonly [Scene, string]> = {
    'a command of an agent': [
      { line: ['xterm', 'bash @pts/1', 'claude @pts/1', 'bash', 'node > signalbox off'] },
      CLAUDE,
    ],
    'an agent that node runs': [{ line: ['bash', 'node > /usr/local/bin/gemini -p x', 'bash', 'node'] }, 'Gemini CLI'],
    'one with options of node': [{ line: ['node > --no-warnings /usr/bin/gemini', 'node'] }, 'Gemini CLI'],
    'one known by its package': [
      { line: ['node > /opt/lib/node_modules/@openai/codex/bin/run.js', 'sh', 'node'] },
      'Codex CLI',
    ],
    'an agent in an editor': [{ line: ['code', 'code', 'claude', 'bash', 'node'] }, CLAUDE],
    'a terminal that an agent made': [
      { line: ['bash', ...SHELL], makers: { 'pts/1': ['claude', 'bash', 'python3'] } },
      `its terminal does not belong to a person: ${CLAUDE}`,
    ],
    'a terminal inside the terminal an agent made': [
      {
        line: ['script @pts/5', ...SHELL],
        makers: { 'pts/1': ['script @pts/5'], 'pts/5': ['node > /usr/bin/gemini'] },
      },
      'its terminal does not belong to a person: it was started by Gemini CLI',
    ],
    ...Object.fromEntries(
      [
        'python3 > pty.py --type=ptyHost',
        'python3 > pty.py x/jupyter-lab',
        'python3 > - /usr/bin/terminator',
        'python3 > -c code /usr/bin/terminator',
        'node > --eval=code /usr/bin/terminator',
        'node > --import=./pty.mjs /home/u/.vscode-server/cli/out/bootstrap-fork',
        'node > pty.js /home/u/.vscode-server/cli/out/bootstrap-fork',
        'java > -jar pty.jar com.intellij.idea.Main',
        'su > --pty root -c x.sh',
        'sudo > signalbox off',
      ].map(maker => [
        `a terminal of \`${maker}\``,
        [
          { line: [maker, ...SHELL], makers: { 'pts/1': [maker] } },
          `its terminal was opened by \`${maker.split(' ', 1)[0]}\`, which has no terminal itself`,
        ] as const,
      ]),
    ),
    'a terminal of `script` that nobody is behind': [
      { line: ['script', ...SHELL], makers: { 'pts/1': ['script'] } },
      'its terminal was opened by `script`, which has no terminal itself',
    ],
    'one of Python': [
      { line: ['python3.11', ...SHELL], makers: { 'pts/1': ['python3.11'] } },
      'opened by `python3.11`',
    ],
    'one of node': [{ line: ['node', ...SHELL], makers: { 'pts/1': ['node > pty.js'] } }, 'opened by `node`'],
    'one that a program nobody knows holds': [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['init', 'cat =cat'] } },
      'opened by `cat`, which has no terminal itself and is not a known terminal program',
    ],
    'one whose holder only says it is a terminal': [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['init', 'xterm =cat'] } },
      'opened by `cat`',
    ],
    'one whose holder names an editor': [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['python3 =python3.11 > -c import/pty/vscode/ /.vscode/x'] } },
      'opened by `python3.11`',
    ],
    'one whose holder is named like a terminal by its script': [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['python3 =python3.11 > /tmp/terminator'] } },
      'opened by `python3.11`',
    ],
    'one that only what runs in it holds': [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['sh @pts/1'] } },
      'opened by `sh`',
    ],
    'one that nobody is seen to hold': [{ line: ['init', ...SHELL] }, 'no person was found at its terminal'],
    "what was left alone in a person's terminal": [
      { line: ['init', 'node @pts/1 ^77'], makers: { 'pts/1': ['xterm'] } },
      'its terminal now belongs to another process',
    ],
    "a terminal made by what was left alone in a person's": [
      { line: ['init', ...SHELL], makers: { 'pts/1': ['init', 'python3 @pts/0 ^77'], 'pts/0': ['xterm'] } },
      'its terminal now belongs to another process',
    ],
    'what was forked twice and took a serial line': [
      { line: ['init', 'python3 @4:64 =python3.11', 'node @4:64'] },
      'nobody is logged in on its console',
    ],
    'the same on a console that nobody uses': [{ line: ['init', 'python3 @4:9', 'node @4:9'] }, 'nobody is logged in'],
    'the same under the manager of a session': [
      { line: ['systemd', 'systemd #1000', 'python3 @4:9', 'node @4:9'] },
      'nobody is logged in',
    ],
    'the same on BSD': [{ line: ['init', 'python3 @ttyv3', 'node @ttyv3'] }, 'nobody is logged in'],
    'what only calls itself login': [
      { line: ['init', 'login #1000', 'python3 @4:9', 'node @4:9'] },
      'nobody is logged in',
    ],
    'what is login by its first argument': [
      { line: ['init', 'login =python3.11', 'sh @4:9', 'node @4:9'] },
      'nobody is logged in',
    ],
    'a copy of a shell that is called login': [
      { line: ['init', 'login #0 @4:9 =/tmp/login', 'node @4:9'] },
      'nobody is logged in',
    ],
    'a copy of it in a home': [
      { line: ['init', 'sshd #0 =/root/bin/sshd', 'sh @4:9', 'node @4:9'] },
      'nobody is logged in',
    ],
    'a window on a console': [{ line: ['init', 'xterm @4:9', 'node @4:9'] }, 'nobody is logged in'],
    'the clock': [{ line: ['cron', 'cron', 'sh', 'script', ...SHELL] }, 'it was started by cron'],
    'a job': [{ line: ['atd', 'sh', ...SHELL] }, 'it was started by atd'],
    'what has no terminal': [{ line: ['bash', 'node'] }, 'there is no terminal'],
    'what carries the mark of an agent': [
      { line: ['xterm', ...SHELL], env: { CLAUDECODE: '1' } },
      'it was started by Claude Code',
    ],
    'what cannot be looked at': [{ line: [] }, 'the list of processes cannot be read'],
  }
  it.each(Object.keys(others))('%s', name => {
    const [scene, words] = others[name] ?? [{ line: [] }, '']
    expect(doubt(scene)).toContain(words)
  })

  it('every agent that is known has a name its processes go by, but those without a process of their own', () => {
    const nameless = allFootprints.filter(({ processes }) => processes.length === 0).map(({ title }) => title)
    expect(nameless).toEqual(['Any other agent', 'Windsurf'])
  })
})
