import type { DoctorCheck } from '../../context.ts'

export const routesCheck: DoctorCheck = {
  ids: ['ROUTES-NONE', 'ROUTES-INACTIVE'],
  about: 'routes',
  look({ policy: { program, inactive, layers, warnings, problems } }) {
    // a policy that does not load has no routes; another check reports it
    if (problems.length > 0) return []
    const loaded = program.gates.reduce((sum, gate) => sum + (gate.routes?.list.length ?? 0), 0)
    const commands = [...new Set(inactive.map(route => route.command))]
    const waiting = `${inactive.length} ${inactive.length > 1 ? 'need' : 'needs'} ${commands.map(command => `\`${command}\``).join(', ')}, which ${commands.length > 1 ? 'are' : 'is'} not on the PATH`
    const tables = program.gates.filter(gate => gate.routes)
    const lost = warnings.find(({ message }) => /\broutes?\b/.test(message))
    const isEmpty = loaded === 0 && (inactive.length > 0 || tables.length > 0 || lost !== undefined)
    if (isEmpty)
      return [
        {
          id: 'ROUTES-NONE',
          severity: 'problem',
          effect: 'no URL is routed: the policy uses routes, but none is loaded',
          file: lost?.file ?? layers.find(({ layer }) => layer !== 'built-in')?.file ?? '',
          ...(lost && { line: lost.line }),
          found: lost?.message ?? (inactive.length > 0 ? waiting : 'its lists of routes are empty'),
          fix: lost === undefined && inactive.length > 0 ? `install ${commands.join(', ')}` : 'signalbox check',
        },
      ]
    if (inactive.length === 0) return []
    return [
      {
        id: 'ROUTES-INACTIVE',
        severity: 'note',
        effect: 'some routes are inactive: the program they suggest is not installed',
        found: `${loaded} routes are active, ${waiting}`,
        fix: `install ${commands.join(', ')}, if you want them`,
      },
    ]
  },
}
