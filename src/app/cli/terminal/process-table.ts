import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  /** its controlling terminal; '' when it has none */
  readonly tty: string
  /** what it is called by the kernel, by itself and by its file */
  readonly names: readonly string[]
  /** its file, the one name nobody can pretend by an argument; absent where it cannot be seen */
  readonly file?: string
  /** where that file is; absent where it cannot be seen */
  readonly path?: string
  /** whose it is; absent where that cannot be told */
  readonly user?: number
  /** the process its terminal was given to; absent where that cannot be told */
  readonly leader?: number
  readonly args: readonly string[]
}

/** The processes of this machine, as far as this user may see them. */
export interface ProcessTable {
  find(pid: number): ProcessInfo | undefined
  /** who made the terminal: the holders of its other end; none where that cannot be told */
  makers(tty: string): readonly ProcessInfo[]
}

export const createProcessTable = (): ProcessTable =>
  process.platform === 'linux' ? new ProcProcessTable('/proc') : new PsProcessTable()

const tryOr = <T>(fallback: T, read: () => T): T => {
  try {
    return read()
  } catch {
    return fallback
  }
}

/** Linux. */
class ProcProcessTable implements ProcessTable {
  constructor(private readonly folder: string) {}

  find(pid: number): ProcessInfo | undefined {
    const stat = tryOr('', () => readFileSync(`${this.folder}/${pid}/stat`, 'utf8'))
    // the name stands in brackets, and may hold some
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
      // 0: it is outside of the namespace this one sees
      ...(leader !== '0' && { leader: Number(leader) }),
    }
  }

  makers(tty: string): readonly ProcessInfo[] {
    const index = /^pts\/(\d+)$/.exec(tty)?.[1]
    if (index === undefined) return []
    const pids = tryOr<string[]>([], () => readdirSync(this.folder)).filter(name => /^\d+$/.test(name))
    return pids.filter(pid => this.holds(pid, index)).flatMap(pid => this.find(Number(pid)) ?? [])
  }

  private holds(pid: string, index: string): boolean {
    const folder = `${this.folder}/${pid}`
    return tryOr<string[]>([], () => readdirSync(`${folder}/fd`)).some(fd => {
      if (!tryOr('', () => readlinkSync(`${folder}/fd/${fd}`)).endsWith('/ptmx')) return false
      const info = tryOr('', () => readFileSync(`${folder}/fdinfo/${fd}`, 'utf8'))
      return /^tty-index:\s*(\d+)$/m.exec(info)?.[1] === index
    })
  }
}

/** A login shell is `-bash`, a tmux server `tmux: server`. */
const programNameOf = (name: string): string => basename(name.replace(/^-/, '').split(/[:\s]/, 1)[0] ?? '')

/** The kernel's number: twelve bits of major, the others of minor around it. 136 are pseudo terminals. */
function ttyNameOf(number: number): string {
  if (number === 0) return ''
  const major = (number >> 8) & 0xfff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  return major === 136 ? `pts/${minor}` : `${major}:${minor}`
}

/** Elsewhere: who made a terminal cannot be told. */
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

  makers(): readonly ProcessInfo[] {
    return []
  }
}
