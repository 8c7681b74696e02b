// Runs lines in real shells, where they can do no harm: nobody's rights, no network, a scratch folder, few programs, limits.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The options that make a shell read a line in another way are tried as well. */
const VARIANTS = {
  bash: [
    ['bash', '--norc', '--noprofile'],
    ['bash', '--norc', '--noprofile', '-O', 'extglob'],
  ],
  dash: [['dash']],
  zsh: [
    ['zsh', '-f'],
    ['zsh', '-f', '-o', 'extendedglob'],
    ['zsh', '-f', '-o', 'kshglob'],
  ],
}

/** All that a line can start: programs that read, and the canary. */
const PROGRAMS =
  'touch cat ls head wc sort uniq xxd tr cut grep basename dirname seq date true false printf echo test expr env timeout nice xargs bash dash zsh find sed tar ln cp tee rm sh'.split(
    ' ',
  )
const FILES = {
  'a.txt': 'one\ntwo\n',
  b: 'two\n',
  'src/a.js': 'var a = 1\n',
  '*': '',
  '!': '',
  // words and code that a line may get from a file; no blank in the code, so that it stays one word where words are split
  q: 'PATH[$(>P)]\n',
  m: '-v PATH[$(>P)]\n',
  n: 'PATH[$(>P)] -eq 1\n',
  t: '-t PATH[$(>P)]\n',
  w: '-n -p PATH[$(>P)]\n',
  v: '-v PATH[$(>P)] %d PATH[$(>P)]\n',
  k: '-A PATH[$(>P)] 1\n',
  o: '-o promptsubst\n',
  s: '-x >P\n',
  c: 'touch P\n',
  d: '$(>P)\n',
  e: '`>P`\n',
  // names of files are words too
  '-v': '',
  '-delete': '',
  '-oP': '',
  // programs whose path looks like an assignment or an operand
  '0/ls': '#!/bin/sh\n>P\n',
  'x+=/ls': '#!/bin/sh\n>P\n',
  'PATH[$(>P)]': '',
}

const FOLDERS = [...new Set(Object.keys(FILES).map(name => dirname(name)))].filter(name => name !== '.')

const LINE_SECONDS = 5

export const findProgram = name =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => statSync(path, { throwIfNoEntry: false })?.isFile())

export const shellsKnown = () => Object.keys(VARIANTS)
export const shellsHere = () => shellsKnown().filter(findProgram)

/** Puts less rights in front of a command, as far as this machine allows. */
function confinement() {
  const unshare = findProgram('unshare') ?? 'unshare'
  const nobody = [
    findProgram('setpriv') ?? 'setpriv',
    '--reuid=65534',
    '--regid=65534',
    '--clear-groups',
    '--no-new-privs',
  ]
  const ways = process.getuid?.() === 0 ? [[unshare, '-n', ...nobody], nobody] : [[unshare, '-r', '-n']]
  return ways.find(([program, ...args]) => spawnSync(program, [...args, 'true']).status === 0)
}

export function newSandbox() {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-fuzz-'))
  chmodSync(root, 0o755)
  const bin = join(root, 'bin')
  mkdirSync(bin)
  for (const name of PROGRAMS) {
    const path = findProgram(name)
    if (path !== undefined) symlinkSync(path, join(bin, name))
  }
  const confined = confinement()
  if (confined === undefined && process.getuid?.() === 0) throw new Error('as root, lines are run with `setpriv` only')
  return {
    root,
    bin,
    confined: confined ?? [],
    rounds: 0,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Nothing above the scratch folder can be meant, even by a line that goes up a few times. */
export const isHarmless = line =>
  !/(?<![\w.})*?\]])\/(?!dev\/(?:null|stdin|stdout|stderr|fd\/)|(?:a|b|x|\*|\$|\/|\{|"|'|\))|\s|$)/.test(line) &&
  !/\/(?:bin|usr|etc|proc|sys|root|home|var|tmp|lib|opt|boot)\b|\.\.\/\.\.\/\.\.|\/dev\/(?:sd|vd|nvme|mem|tcp|udp)|:\(\)|kill|reboot|shutdown|\0/.test(
    line,
  )

// each line in a shell of its own, forked off this one
const DRIVER = 'for __line do ( ulimit -t 1; set --; eval "$__line" ) </dev/null >/dev/null 2>&1; done'

function newFolder(arena) {
  arena.rounds += 1
  const top = join(arena.root, `r${arena.rounds}`)
  const folder = join(top, 'a', 'b', 'c')
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  for (const path of [folder, ...[...FOLDERS, ...Object.keys(FILES)].map(name => join(folder, name))])
    chmodSync(path, 0o777)
  return { top, folder }
}

/** Names of files that are there, or other, though nothing should have changed. */
function changes(folder) {
  const found = readdirSync(folder, { recursive: true }).filter(name => {
    if (FOLDERS.includes(name)) return false
    const path = join(folder, name)
    return !(name in FILES) || !statSync(path).isFile() || readFileSync(path, 'utf8') !== FILES[name]
  })
  const missing = Object.keys(FILES).filter(name => !statSync(join(folder, name), { throwIfNoEntry: false }))
  return [...found, ...missing]
}

/** Runs lines one after the other; what has changed by them all. */
export async function runLines(arena, variant, lines) {
  const { top, folder } = newFolder(arena)
  const [shell, ...options] = variant
  // named by its path: the search path is a short one
  const [program, ...args] = [...arena.confined, findProgram(shell), ...options, '-c', DRIVER, 'fuzz', ...lines]
  const env = { PATH: arena.bin, HOME: folder, LANG: 'C.UTF-8', TMPDIR: folder }
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: 'ignore' })
  const ended = new Promise(resolve => {
    child.once('exit', resolve)
    child.once('error', resolve)
  })
  const late = await Promise.race([
    ended.then(() => false),
    sleep(LINE_SECONDS * 1000 + lines.length * 250, true, { ref: false }),
  ])
  if (!late) await groupEnded(child.pid)
  kill(child.pid)
  if (late) await ended
  const changed = changes(folder)
  rmSync(top, { recursive: true, force: true })
  return { changed, late }
}

/** Processes that a line has left behind may still be about to do something. */
async function groupEnded(pid) {
  for (let left = 200; left > 0 && isAlive(pid); left -= 1) await sleep(5)
}

function isAlive(pid) {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

function kill(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}

export const variantsOf = shell => VARIANTS[shell]

/** What the line changes when it is run alone. */
export const effectOf = async (arena, variant, line) => (await runLines(arena, variant, [line])).changed
