import { expect, it } from 'vitest'
import { fillTemplate } from '../../src/engine/index.ts'

const VALUES: Readonly<Record<string, string>> = {
  yes: 'true',
  no: 'false',
  empty: '',
  blank: ' ',
  name: 'Ada',
  sly: '{?no}{/}{name}',
}
const filled = (text: string): string => fillTemplate(text, name => VALUES[name])

it.each([
  ['a value that is there', 'a{?name} by {name}{/}.', 'a by Ada.'],
  ['true', 'a{?yes}, b{/}.', 'a, b.'],
  ['false', 'a{?no}, b{/}.', 'a.'],
  ['no value', 'a{?gone}, b{/}.', 'a.'],
  ['an empty one', 'a{?empty}, b{/}.', 'a.'],
  ['a blank one', 'a{?blank}, b{/}.', 'a.'],
  ['a part in a part', 'a{?yes}, b{?name} {name}{/}{?no} c{/}{/}.', 'a, b Ada.'],
  ['a part in one that is left out', 'a{?no}, b{?name} {name}{/} c{/}.', 'a.'],
  ['braces', '{{?no} {{name} {?yes}{{x}{/}', '{?no} {name} {x}'],
  ['an end without a beginning', 'a{/}b', 'a{/}b'],
  ['an end without a beginning beside a part', '{?yes}a{/}{/}b', 'a{/}b'],
  ['a value that looks like a template', '{?yes}{sly}{/}', '{?no}{/}{name}'],
])('a part of a text with %s', (_, text, expected) => expect(filled(text)).toBe(expected))
