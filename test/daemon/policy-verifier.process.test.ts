import { expect, it } from 'vitest'
import { PolicyVerifier } from '../../src/hook/daemon/policy-verifier.ts'
import { until } from '../support/daemon.ts'

it('a verification that fails, and one in a folder that is gone, are reported by real processes too', async () => {
  const lines: string[] = []
  const command = [process.execPath, '-e', 'process.exit(2)']
  const verifier = new PolicyVerifier({ command, isKnown: () => false, quietMs: 10 }, line => lines.push(line))
  for (const folder of ['/usr', '/no/such/folder'])
    verifier.see({ hash: folder, folder, env: { PATH: process.env.PATH } })
  await until(() => lines.length === 2)
  verifier.stop()
  expect(lines.join('\n')).toMatch(
    /in \/usr: the verification failed.*\n.*in \/no\/such\/folder: the verification failed/,
  )
})
