import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findSandboxProblem } from '../../src/app/orchestrate/sandbox-check.ts'
import { BIN } from '../support/sandbox.ts'

it('a folder that can be written is no problem, nor one that can be made', () => {
  expect(findSandboxProblem(tmpdir())).toBeUndefined()
  expect(findSandboxProblem(join(tmpdir(), 'a/b/c'))).toBeUndefined()
})

/** A home that is read-only for the commands of an agent, as in the default sandbox of Codex. */
function inSandbox(folder: string, ...command: readonly string[]) {
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')]
  for (const one of [home, bin]) mkdirSync(one, { recursive: true })
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho {}\n')
  chmodSync(join(bin, 'claude'), 0o755)
  const script = 'mount -t tmpfs -o ro none "$HOME" && exec "$@"'
  return spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', ...command], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home },
  })
}

it('says that it is the sandbox of an agent, and what to do', context => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ro-'))
  try {
    if (inSandbox(folder, 'true').status !== 0) return context.skip('a mount needs root')
    const { stdout, stderr, status } = inSandbox(
      folder,
      ...[process.execPath, BIN, 'orchestrate', '--mode', 'agent', '--backend', 'claude', 'write a.txt'],
    )
    expect(`${stdout}${stderr}`).toMatch(
      /cannot be written from here \(EROFS\).*sandbox.*escalated permissions.*terminal/,
    )
    expect(status).not.toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
