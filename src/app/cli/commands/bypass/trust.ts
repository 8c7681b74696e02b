import { setTrust, trustRequestsOf } from '../../../../policy/index.ts'
import { type Command, refuseNonHuman } from '../../command.ts'
import { openProject } from '../../project.ts'
import { recordAction } from './active-bypasses.ts'

export const trustCommand: Command = {
  name: 'trust',
  summary: 'Let a project policy run code and loosen, not only restrict.',
  usage: '[--revoke]',
  about: { revoke: 'take it back' },
  example: 'signalbox trust',
  options: { revoke: { type: 'boolean' } },
  async run({ values, terminal }) {
    const { policy, folders, label } = openProject(terminal)
    const covered = trustRequestsOf(policy.layers)
    if (covered.length === 0) {
      terminal.out('Nothing to trust: no policy of this project runs code or loosens anything.\n')
      return 0
    }
    const waiting = covered.filter(one => one.trusted === Boolean(values.revoke))
    for (const { file, covers } of waiting) {
      terminal.out(`${label(file)}\n${covers.map(line => `  ${line}\n`).join('')}`)
    }
    if (!terminal.isPerson) {
      recordAction(folders, 'trust.refused', terminal.doubt ?? 'there is no terminal', terminal)
      return refuseNonHuman('trust', terminal)
    }
    if (waiting.length === 0) {
      terminal.out(values.revoke ? 'Nothing of this project is trusted.\n' : 'Already trusted, and unchanged since.\n')
      return 0
    }
    const question = values.revoke
      ? 'Take the trust back? [y/N] '
      : 'Trust exactly this, until any of it changes? [y/N] '
    if (!/^y(es)?$/i.test((await terminal.ask(question)).trim())) {
      terminal.out('Nothing was changed.\n')
      return 1
    }
    const written = waiting.map(({ file, hash }) => setTrust(folders.state, file, values.revoke ? null : hash))
    if (!written.every(Boolean)) {
      terminal.err(`signalbox trust: could not write to ${folders.state}\n`)
      return 2
    }
    for (const { file, hash } of waiting)
      recordAction(folders, values.revoke ? 'trust.revoked' : 'trust.given', `${file} ${hash.slice(0, 12)}`, terminal)
    terminal.out(values.revoke ? 'No longer trusted.\n' : 'Trusted. `signalbox trust --revoke` takes it back.\n')
    return 0
  },
}
