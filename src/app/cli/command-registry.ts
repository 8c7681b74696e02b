import type { Command } from './command.ts'

/** A command's entry in the help. Reading it does not load the command. */
export interface CommandEntry {
  readonly name: string
  /** The same text as in the command's file; a test compares them. */
  readonly summary: string
  /** Imports the command's file and its dependencies lazily: each run needs only one command. */
  readonly load: () => Promise<Command>
}

/** Each command is one file. To add a command, add its file and one entry here. */
export const COMMAND_GROUPS: readonly (readonly [string, readonly CommandEntry[]])[] = [
  [
    'Start here',
    [
      {
        name: 'init',
        summary: 'Install the hook for the agents on this machine. Shows the changes and asks first.',
        load: async () => (await import('./commands/setup/init.ts')).initCommand,
      },
      {
        name: 'status',
        summary: "Is your policy enforced? Shows each agent, the policy and today's calls.",
        load: async () => (await import('./commands/status/status.ts')).statusCommand,
      },
      {
        name: 'doctor',
        summary: 'Find what is wrong, what it means for you, and the command that fixes it.',
        load: async () => (await import('./commands/setup/doctor.ts')).doctorCommand,
      },
      {
        name: 'demo',
        summary: 'See it work: plays recorded sessions through the real hook.',
        load: async () => (await import('./commands/setup/demo.ts')).demoCommand,
      },
    ],
  ],
  [
    'Your policy',
    [
      {
        name: 'check',
        summary: 'Check the policy for errors, and prove that no agent can get stuck. Shows each problem with its fix.',
        load: async () => (await import('./commands/check/check.ts')).checkCommand,
      },
      {
        name: 'test',
        summary: 'Run the policy tests in *.test.yaml and report decisions that differ from the expected ones.',
        load: async () => (await import('./commands/analysis/test.ts')).testCommand,
      },
      {
        name: 'explain',
        summary: 'Show why an event was decided: gates, rules, conditions, and what would change the decision.',
        load: async () => (await import('./commands/analysis/explain.ts')).explainCommand,
      },
      {
        name: 'replay',
        summary: 'Apply a policy to past sessions: what would it have blocked? Changes nothing.',
        load: async () => (await import('./commands/analysis/replay.ts')).replayCommand,
      },
      {
        name: 'graph',
        summary:
          'Draw the gates as state diagrams (Mermaid in Markdown, or SVG): what opens and closes them, what they block.',
        load: async () => (await import('./commands/analysis/graph.ts')).graphCommand,
      },
      {
        name: 'policy show',
        summary:
          'Show the active policy: its layers and, with --resolved, every gate, rule and route after packs and options.',
        load: async () => (await import('./commands/status/policy-show.ts')).policyShowCommand,
      },
      {
        name: 'trust',
        summary: "Trust this project's policy: let it run code and loosen rules, not only restrict.",
        load: async () => (await import('./commands/bypass/trust.ts')).trustCommand,
      },
    ],
  ],
  [
    'Send work',
    [
      {
        name: 'route',
        summary: 'Classify a request: intent, complexity, workflow, confidence. Uses tables, not a model.',
        load: async () => (await import('./commands/analysis/route.ts')).routeCommand,
      },
      {
        name: 'orchestrate',
        summary: 'Give a task to an agent that is approved for it: Claude Code, Codex or Gemini, whichever fits best.',
        load: async () => (await import('./commands/orchestrate/orchestrate.ts')).orchestrateCommand,
      },
    ],
  ],
  [
    'What happened',
    [
      {
        name: 'log',
        summary: 'Show recorded events and their decisions, newest last.',
        load: async () => (await import('./commands/audit/log.ts')).logCommand,
      },
      {
        name: 'gates',
        summary: 'Show which gates are open or closed, since when, and what changes that.',
        load: async () => (await import('./commands/status/gates.ts')).gatesCommand,
      },
      {
        name: 'stats',
        summary: 'Statistics: denials that agents fixed, bypasses, latency, rules that never match.',
        load: async () => (await import('./commands/audit/stats-command.ts')).statsCommand,
      },
      {
        name: 'ui',
        summary:
          'Open the dashboard: live decisions with their reasons, sessions, gates, policy, playground. Local only.',
        load: async () => (await import('./commands/dashboard/ui.ts')).uiCommand,
      },
      {
        name: 'audit verify',
        summary: 'Check that the audit log is unchanged. Lists every record that was changed, moved or removed.',
        load: async () => (await import('./commands/audit/audit-verify.ts')).auditVerifyCommand,
      },
      {
        name: 'audit export',
        summary: 'Export the audit log as JSON lines or CSV, or send it to an OpenTelemetry collector.',
        load: async () => (await import('./commands/audit/audit-export.ts')).auditExportCommand,
      },
    ],
  ],
  [
    'In an emergency',
    [
      {
        name: 'bypass',
        summary: 'Switch gates off for a limited time. Only a person can do this, in their own terminal.',
        load: async () => (await import('./commands/bypass/bypass.ts')).bypassCommand,
      },
      {
        name: 'off',
        summary:
          'Switch every gate off, in every project, until `signalbox on`. Only a person can do this, in their own terminal.',
        load: async () => (await import('./commands/bypass/off.ts')).offCommand,
      },
      {
        name: 'on',
        summary: 'Switch the gates on again after `signalbox off`.',
        load: async () => (await import('./commands/bypass/on.ts')).onCommand,
      },
    ],
  ],
  [
    'For scripts and debugging',
    [
      {
        name: 'hook',
        summary: 'Answer one event of an agent. Agents call this; you do not.',
        load: async () => (await import('./commands/run/hook.ts')).hookCommand,
      },
      {
        name: 'run',
        summary: 'Run a command and sign its exit status, so that gates can rely on it.',
        load: async () => (await import('./commands/run/run.ts')).runCommand,
      },
      {
        name: 'daemon start',
        summary: 'Start the daemon. You rarely need this: hooks start it themselves.',
        load: async () => (await import('./commands/daemon/daemon-start.ts')).daemonStartCommand,
      },
      {
        name: 'daemon stop',
        summary: 'Stop the daemon after the calls it is working on. Hooks work without it, and start it again.',
        load: async () => (await import('./commands/daemon/daemon-stop.ts')).daemonStopCommand,
      },
      {
        name: 'daemon status',
        summary: 'Show whether the daemon runs, its memory and its metrics address.',
        load: async () => (await import('./commands/daemon/daemon-status.ts')).daemonStatusCommand,
      },
      {
        name: 'daemon logs',
        summary:
          'Show when the daemon started and stopped, and its errors. Decisions are in the audit log: `signalbox log`.',
        load: async () => (await import('./commands/daemon/daemon-logs.ts')).daemonLogsCommand,
      },
      {
        name: 'uninstall',
        summary: 'Remove Signalbox and restore every file that `signalbox init` changed.',
        load: async () => (await import('./commands/setup/uninstall.ts')).uninstallCommand,
      },
      {
        name: 'version',
        summary: 'Print the version.',
        load: async () => (await import('./commands/setup/version.ts')).versionCommand,
      },
    ],
  ],
]
