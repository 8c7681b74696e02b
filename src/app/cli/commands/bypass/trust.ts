import { setTrust, trustRequestsOf } from '../../../../policy/index.ts'
import { type Command, printHumanOnlyRefusal } from '../../command.ts'
import { openProject } from '../../project.ts'
import { recordAction } from './active-bypasses.ts'

export const trustCommand: Command = {
  name: 'trust',
  summary: "Trust this project's policy: let it run code and loosen rules, not only restrict.",
  usage: '[--revoke]',
  example: 'signalbox trust',
  options: { revoke: { type: 'boolean', about: 'remove your trust' } },
  async run({ values, terminal }) {
    const { policy, folders, label } = openProject(terminal)
    const covered = trustRequestsOf(policy.layers)
    if (covered.length === 0) {
      terminal.out("Nothing to trust: this project's policy runs no code and loosens no rule.\n")
      return 0
    }
    const waiting = covered.filter(request => request.trusted === Boolean(values.revoke))
    for (const { file, needsTrust } of waiting) {
      terminal.out(`${label(file)}\n${needsTrust.map(line => `  ${line}\n`).join('')}`)
    }
    if (!terminal.isPerson) {
      recordAction(folders, 'trust.refused', terminal.doubt ?? 'there is no terminal', terminal)
      return printHumanOnlyRefusal('trust', terminal)
    }
    if (waiting.length === 0) {
      terminal.out(values.revoke ? 'This project is not trusted.\n' : 'Already trusted. Nothing changed since.\n')
      return 0
    }
    const question = values.revoke ? 'Remove your trust? [y/N] ' : 'Trust this, until any of it changes? [y/N] '
    if (!/^y(es)?$/i.test((await terminal.ask(question)).trim())) {
      terminal.out('Nothing was changed.\n')
      return 1
    }
    const written = waiting.map(({ file, hash }) => setTrust(folders.state, file, values.revoke ? null : hash))
    if (!written.every(Boolean)) {
      terminal.err(`signalbox trust: cannot write to ${folders.state}; nothing was changed\n`)
      return 2
    }
    for (const { file, hash } of waiting)
      recordAction(folders, values.revoke ? 'trust.revoked' : 'trust.given', `${file} ${hash.slice(0, 12)}`, terminal)
    terminal.out(values.revoke ? 'No longer trusted.\n' : 'Trusted. To undo this, run `signalbox trust --revoke`.\n')
    return 0
  },
}
