/** Which calls a client runs a hook for, as read in its program; `event` and `tool` as it calls them. */
type Matches = (matcher: string, tool: string) => boolean

/** 2.1.325: a list of names, or a regex; names it gave up stand for the new ones. */
const OLD: Readonly<Record<string, string>> = { Task: 'Agent', KillShell: 'TaskStop', BashOutput: 'TaskOutput' }
const claudeCode: Matches = (matcher, tool) => {
  if (matcher === '' || matcher === '*') return true
  if (/^[a-zA-Z0-9_|, -]+$/.test(matcher))
    return matcher
      .split(/[|,]/)
      .map(name => name.trim())
      .some(name => name === tool || OLD[name] === tool)
  const regex = new RegExp(matcher)
  const old = Object.keys(OLD).filter(name => OLD[name] === tool)
  return [tool, ...old].some(name => regex.test(name))
}

const codexCli: Matches = (matcher, tool) => {
  const names = [tool, ...(tool === 'apply_patch' ? ['Write', 'Edit'] : tool === 'spawn_agent' ? ['Agent'] : [])]
  if (matcher === '' || matcher === '*') return true
  if (/^\w[\w|]*$/.test(matcher)) return matcher.split('|').some(name => names.includes(name))
  return names.some(name => new RegExp(matcher).test(name))
}

const geminiCli: Matches = (matcher, tool) => {
  const words = matcher.trim()
  if (words === '' || words === '*') return true
  try {
    return new RegExp(words).test(tool)
  } catch {
    return words === tool
  }
}

const qwenCode: Matches = (matcher, tool) => {
  const pattern = matcher.trim()
  if (pattern === '' || pattern === '*' || pattern === '.*' || pattern === tool) return true
  if (!pattern.includes('|') || /^[\^(]/.test(pattern)) return new RegExp(pattern).test(tool)
  const words = pattern
    .split('|')
    .map(word => word.trim())
    .filter(Boolean)
  return words.some(word => word === '*' || word === '.*' || word === tool) || new RegExp(words.join('|')).test(tool)
}

const copilotCli: Matches = (matcher, tool) => matcher === '' || new RegExp(`^(?:${matcher})$`).test(tool)

const cursor: Matches = (matcher, tool) => {
  if (matcher === '' || matcher === '*') return true
  try {
    return new RegExp(matcher).test(tool)
  } catch {
    return true
  }
}

export const MATCHES: Readonly<Record<string, Matches>> = {
  'claude-code': claudeCode,
  'codex-cli': codexCli,
  'copilot-cli': copilotCli,
  cursor,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
}
