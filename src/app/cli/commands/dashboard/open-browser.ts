import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { writeFileAtomically } from '../../../../policy/index.ts'
import type { Terminal } from '../../command.ts'

/** A file in the daemon's run folder. */
export const REDIRECT_PAGE = 'open.html'

/** The program that opens a page; undefined if there is no screen or the session is remote. */
export function findBrowserOpener({ env, window }: Pick<Terminal, 'env' | 'window'>): string | undefined {
  if (window?.out !== true || env.SSH_CONNECTION || env.SSH_TTY) return undefined
  if (process.platform === 'darwin') return 'open'
  return env.WAYLAND_DISPLAY || env.DISPLAY ? 'xdg-open' : undefined
}

/**
 * Opens the page through a file that only this user can read: the address holds the token, and process arguments are public.
 * Returns false if the file could not be written.
 */
export function openInBrowser(program: string, url: string, run: string, env: Terminal['env']): boolean {
  const file = join(run, REDIRECT_PAGE)
  const html = `<!doctype html><meta charset="utf-8"><title>Signalbox</title><meta http-equiv="refresh" content="0;url=${url}">\n`
  if (!writeFileAtomically(file, html)) return false
  const child = spawn(program, [file], { env, stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
  return true
}
