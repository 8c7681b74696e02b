import {
  type CommandMatcher,
  type Condition,
  type FieldPattern,
  isFactField,
  type TextPattern,
  type UrlPattern,
} from '../../engine/index.ts'

/** Prints a compiled condition on one line, the way a person would write it. */
export function describeCondition(condition: Condition, root: string): string {
  if ('all' in condition) return condition.all.map(item => describeNested(item, root)).join(', ') || 'always'
  if ('any' in condition) return condition.any.map(item => describeNested(item, root)).join(' | ')
  if ('not' in condition) return `not (${describeCondition(condition.not, root)})`
  if ('with' in condition) return `with (${describeCondition(condition.with, root)})`
  switch (condition.key) {
    case 'event':
      return `event ${condition.in.filter(text => text !== 'tool.failed' || !condition.in.includes('tool.after')).join(' | ')}`
    case 'command':
      return `command ${condition.in.map(commandText).join(' | ')}`
    case 'words':
      return `words ${condition.in.map(word => ('regex' in word ? `/${word.regex}/` : `\`${word.like}\``)).join(' | ')}`
    case 'path':
      return `path ${condition.in.map(({ glob }) => (glob.startsWith(`${root}/`) ? glob.slice(root.length + 1) : glob)).join(' | ') || '(none)'}`
    case 'url':
      return `url ${condition.in.map(urlText).join(' | ')}`
    case 'prompt':
    case 'text':
      return `${condition.key} ${condition.in.map(textPatternText).join(' | ')}`
    case 'input':
    case 'env':
    case 'assigns':
    case 'captured':
      return `${condition.fields.every(({ field }) => isFactField(field)) ? '' : `${condition.key} `}${condition.fields.map(fieldPatternText).join(', ')}`
    case 'gate':
      return condition.states.map(({ gate, state }) => `gate ${gate} ${state.join('|')}`).join(', ')
    case 'since':
      return condition.counters.map(({ mark, unit, atLeast }) => `${atLeast} ${unit} since ${mark}`).join(', ')
    case 'whitelisted':
    case 'approved':
      return condition.is ? condition.key : `not ${condition.key}`
    default:
      return `${condition.key} ${condition.in.join(' | ') || '(none)'}`
  }
}

const describeNested = (condition: Condition, root: string): string =>
  'any' in condition || 'all' in condition
    ? `(${describeCondition(condition, root)})`
    : describeCondition(condition, root)

const commandText = (command: CommandMatcher): string =>
  'reading' in command
    ? '$reading'
    : `\`${[command.program, ...(command.typed ?? [...command.words, ...command.options])].join(' ')}\``

const urlText = (url: UrlPattern): string =>
  'regex' in url
    ? `/${url.regex}/`
    : `${url.template.scheme ?? '*'}://${[url.template.host, ...url.template.segments].join('/')}`

const textPatternText = (text: TextPattern): string =>
  'regex' in text ? `/${text.regex}/` : JSON.stringify('has' in text ? text.has : text.is)

const fieldPatternText = ({ field, in: wanted }: FieldPattern): string =>
  `${field}=${wanted.map(textPatternText).join('|')}`
