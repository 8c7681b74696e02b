import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { tryOr } from '../../../lib/errors.ts'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  /** its controlling terminal; '' when it has none */
  readonly tty: string
  /** its names from the kernel, its arguments and its file */
  readonly names: readonly string[]
  /** the base name of its file, which an argument cannot fake; absent if unreadable */
  readonly file?: string
  /** the path of that file; absent if unreadable */
  readonly path?: string
  /** the user id; absent if unknown */
  readonly user?: number
  /** the process that owns its terminal; absent if unknown */
  readonly leader?: number
  readonly args: readonly string[]
}

/** The processes of this machine that this user can see. */
export interface ProcessTable {
  find(pid: number): ProcessInfo | undefined
  /** the processes that hold the other end of the terminal; empty if unknown */
  terminalHolders(tty: string): readonly ProcessInfo[]
}

export const createProcessTable = (): ProcessTable =>
  process.platform === 'linux' ? new ProcProcessTable('/proc') : new PsProcessTable()

/** Reads `/proc` on Linux. */
class ProcProcessTable implements ProcessTable {
  constructor(private readonly folder: string) {}

  find(pid: number): ProcessInfo | undefined {
    const stat = tryOr('', () => readFileSync(`${this.folder}/${pid}/stat`, 'utf8'))
    // the name is in brackets and may contain brackets
    const end = stat.lastIndexOf(')')
    if (end < 0) return undefined
    const [, parent = '0', , leader = '0', tty = '0'] = stat.slice(end + 2).split(' ')
    const args = tryOr('', () => readFileSync(`${this.folder}/${pid}/cmdline`, 'utf8')).split('\0')
    const file = tryOr('', () => readlinkSync(`${this.folder}/${pid}/exe`)).replace(/ \(deleted\)$/, '')
    const names = [stat.slice(stat.indexOf('(') + 1, end), args[0] ?? '', file].map(programNameOf).filter(Boolean)
    const own = { pid, parent: Number(parent), tty: ttyNameOf(Number(tty)), names: [...new Set(names)], args }
    const status = tryOr('', () => readFileSync(`${this.folder}/${pid}/status`, 'utf8'))
    const user = /^Uid:\s+(\d+)/m.exec(status)?.[1]
    return {
      ...own,
      ...(file && { file: programNameOf(file), path: file }),
      ...(user && { user: Number(user) }),
      // 0: the leader is outside of our pid namespace
      ...(leader !== '0' && { leader: Number(leader) }),
    }
  }

  terminalHolders(tty: string): readonly ProcessInfo[] {
    const index = /^pts\/(\d+)$/.exec(tty)?.[1]
    if (index === undefined) return []
    const pids = tryOr<string[]>([], () => readdirSync(this.folder)).filter(name => /^\d+$/.test(name))
    return pids.filter(pid => this.hasOpen(pid, index)).flatMap(pid => this.find(Number(pid)) ?? [])
  }

  private hasOpen(pid: string, index: string): boolean {
    const folder = `${this.folder}/${pid}`
    return tryOr<string[]>([], () => readdirSync(`${folder}/fd`)).some(fd => {
      if (!tryOr('', () => readlinkSync(`${folder}/fd/${fd}`)).endsWith('/ptmx')) return false
      const info = tryOr('', () => readFileSync(`${folder}/fdinfo/${fd}`, 'utf8'))
      return /^tty-index:\s*(\d+)$/m.exec(info)?.[1] === index
    })
  }
}

/** A login shell is `-bash`, a tmux server is `tmux: server`. */
const programNameOf = (name: string): string => basename(name.replace(/^-/, '').split(/[:\s]/, 1)[0] ?? '')

/** Decodes the kernel's device number: 12 bits of major number inside the minor number. Major 136 is pseudo terminals. */
function ttyNameOf(number: number): string {
  if (number === 0) return ''
  const major = (number >> 8) & 0xfff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  return major === 136 ? `pts/${minor}` : `${major}:${minor}`
}

/** Uses `ps` on other systems, where the creator of a terminal is unknown. */
class PsProcessTable implements ProcessTable {
  private readonly rows = new Map<number, ProcessInfo>()

  constructor() {
    const text = tryOr('', () => execFileSync('ps', ['-axo', 'pid=,ppid=,tty=,args='], { encoding: 'utf8' }))
    for (const line of text.split('\n')) {
      const [, pid, parent, tty = '', rest = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      if (pid === undefined) continue
      const args = rest.split(' ')
      const own = { pid: Number(pid), parent: Number(parent), tty: /^[?-]+$/.test(tty) ? '' : tty }
      this.rows.set(own.pid, { ...own, names: [programNameOf(args[0] ?? '')], args })
    }
  }

  find(pid: number): ProcessInfo | undefined {
    return this.rows.get(pid)
  }

  terminalHolders(): readonly ProcessInfo[] {
    return []
  }
}
