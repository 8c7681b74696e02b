import type { ConditionDoc } from '../../schema/condition.ts'
import { type CompileContext, reportWarningAtValue, toList } from '../context.ts'
import { eachItem } from '../values/value.ts'

/** Options match literally: `git push --force` does not match `git push -f`. Checked for rules that do not allow. */
export function warnOfOptionSpelling(context: CompileContext, doc: ConditionDoc): void {
  const all = toList(doc.command)
  for (const [item, holder, key] of eachItem(doc, 'command', doc.command)) {
    const other = otherSpelling(item)
    if (other === undefined || all.some(text => isWiderCommand(text, other))) continue
    reportWarningAtValue(
      context,
      holder,
      key,
      `\`${item}\` matches the option only as it is written, not \`${other}\``,
      {
        help: `to match both write \`[${item}, ${other}]\``,
      },
    )
  }
  for (const inner of [...(doc.any ?? []), ...(doc.all ?? []), ...(doc.with ? [doc.with] : [])])
    warnOfOptionSpelling(context, inner)
}

const isWiderCommand = (one: string, other: string): boolean => {
  const words = wordsOf(other)
  return wordsOf(one).every(word => words.includes(word))
}
const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Options with a long and a short name, by program and subcommand. Agents use either. */
const OPTION_SYNONYMS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'git push': [
    ['--force', '-f'],
    ['--delete', '-d'],
    ['--set-upstream', '-u'],
  ],
  'git commit': [
    ['--no-verify', '-n'],
    ['--all', '-a'],
  ],
  'git clean': [['--force', '-f']],
  'git checkout': [['--force', '-f']],
  'git switch': [['--force', '-f']],
  'git branch': [
    ['--delete', '-d'],
    ['--force', '-f'],
  ],
  'git tag': [
    ['--delete', '-d'],
    ['--force', '-f'],
  ],
  'git add': [
    ['--all', '-A'],
    ['--force', '-f'],
  ],
  'npm install': [
    ['--global', '-g'],
    ['--force', '-f'],
  ],
  'npm i': [
    ['--global', '-g'],
    ['--force', '-f'],
  ],
  'pnpm add': [['--global', '-g']],
  'docker rm': [['--force', '-f']],
  'docker rmi': [['--force', '-f']],
  'docker system': [
    ['--all', '-a'],
    ['--force', '-f'],
  ],
  'kubectl delete': [['--filename', '-f']],
  chmod: [['--recursive', '-R']],
  chown: [['--recursive', '-R']],
}

/** The same command with the other name of its option; undefined if no option, or more than one, has another name. */
function otherSpelling(command: string): string | undefined {
  const words = command.trim().split(/\s+/)
  const [program = '', verb = ''] = words
  const pairs = OPTION_SYNONYMS[`${program} ${verb}`] ?? OPTION_SYNONYMS[program] ?? []
  const named = pairs.filter(pair => pair.some(name => words.includes(name)))
  const [pair] = named
  if (!pair || named.length > 1) return undefined
  const [long, short] = pair
  if (words.includes(long) && words.includes(short)) return undefined
  return words.map(word => (word === long ? short : word === short ? long : word)).join(' ')
}
