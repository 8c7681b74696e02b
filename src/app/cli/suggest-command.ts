import { didYouMean } from '../../lib/did-you-mean.ts'

/** Words that other programs have for what a command here does. */
const COMMANDS_BY_OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  check: ['lint', 'prove', 'validate'],
  init: ['add', 'install', 'register', 'setup', 'update', 'upgrade'],
  uninstall: ['delete', 'deregister', 'remove', 'unregister'],
  ui: ['dashboard', 'serve', 'web'],
  log: ['history', 'logs', 'tail'],
  gates: ['list', 'state'],
  explain: ['why'],
  replay: ['simulate'],
  bypass: ['skip'],
  off: ['disable', 'pause'],
  on: ['enable', 'resume'],
  orchestrate: ['delegate', 'workflow', 'workflows'],
  'policy show': ['config', 'policies', 'show'],
  'daemon start': ['start'],
  'daemon stop': ['stop'],
}

/** `; did you mean …?` for an unknown command, or nothing: no guess is better than one that does something else. */
export function suggestCommand(word: string, names: readonly string[]): string {
  const [other] = Object.entries(COMMANDS_BY_OTHER_NAMES).find(([, words]) => words.includes(word)) ?? []
  const begun = names.find(name => (word.length > 1 && name.startsWith(word)) || name.endsWith(` ${word}`))
  const meant = other ?? begun
  if (meant !== undefined) return `; did you mean \`${meant}\`?`
  // two edits turn any short word into another one
  const near = word.length > 4 ? names : names.filter(name => name[0] === word[0])
  const nearest = didYouMean(word, [...near, 'help'])
  return nearest ? `; ${nearest}` : ''
}
