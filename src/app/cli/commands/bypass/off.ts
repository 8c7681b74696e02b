import { beginBypass, OFF_BYPASS_ID } from '../../../../hook/index.ts'
import { type Command, printHumanOnlyRefusal } from '../../command.ts'
import { openProject } from '../../project.ts'
import { activeBypasses, bypassLines, recordAction, toReasonLine } from './active-bypasses.ts'
import { switchOn } from './on.ts'

export const offCommand: Command = {
  name: 'off',
  summary:
    'Switch every gate off, in every project, until `signalbox on`. Only a person can do this, in their own terminal.',
  usage: '[--reason <text>] [--end]',
  example: 'signalbox off --reason "demo for the board"',
  options: {
    reason: { type: 'string', about: 'why; written to the audit log' },
    end: { type: 'boolean', about: 'the same as `signalbox on`' },
    json: { type: 'boolean', about: 'the same as JSON' },
  },
  async run({ values, terminal }) {
    if (values.end === true) return switchOn(terminal, { json: values.json === true })
    const { folders, policy } = openProject(terminal)
    const now = Date.now()
    const reason = toReasonLine(typeof values.reason === 'string' ? values.reason : '')
    const before = activeBypasses(folders, now).filter(bypass => bypass.id === OFF_BYPASS_ID)
    if (before.length === 0 && !terminal.isPerson) {
      recordAction(folders, 'off.refused', terminal.doubt ?? 'there is no terminal', terminal)
      return printHumanOnlyRefusal('off', terminal)
    }
    if (before.length === 0) {
      if (!beginBypass(folders.state, { id: OFF_BYPASS_ID, from: now, reason })) {
        terminal.err(`signalbox off: cannot write to ${folders.state}; nothing was changed\n`)
        return 2
      }
      recordAction(
        folders,
        'off.start',
        `every gate that can be bypassed is off, in every project${reason && `: ${reason}`}`,
        terminal,
      )
    }
    if (values.json) terminal.out(`${JSON.stringify({ off: true }, null, 2)}\n`)
    else {
      const alwaysEnforced = [...new Set(policy.program.gates.filter(gate => !gate.yields).map(gate => gate.name))]
      terminal.out(
        `${before.length > 0 ? bypassLines(before, now).join('\n') : 'OFF  every gate that can be bypassed, in every project'}\n`,
      )
      if (alwaysEnforced.length > 0) terminal.out(`  except  ${alwaysEnforced.join(', ')}: always enforced\n`)
      terminal.out('  logged  events are still written to the audit log\n')
      terminal.out('Undo  signalbox on\n')
    }
    return 0
  },
}
