let nth = 0
/** What Claude Code sends before it runs a command. */
export const payloadOf = (command: string, project: string, more: object = {}): string =>
  JSON.stringify({
    ...{ session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } },
    ...{ tool_use_id: `toolu_${process.pid}_${nth++}`, ...more },
  })
