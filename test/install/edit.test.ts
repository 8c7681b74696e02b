import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendItem, removeItems } from '../../src/app/install/settings-file/edit-jsonc.ts'
import { nodeValue, parseJsonc } from '../../src/app/install/settings-file/jsonc.ts'

const PATH = ['hooks', 'PreToolUse']
const ENTRY = { matcher: '*', hooks: [{ type: 'command', command: 'signalbox hook' }] }
const isOurs = (part: Parameters<typeof nodeValue>[0]) => JSON.stringify(nodeValue(part)).includes('signalbox hook')

/** without the commas, which are ours to put */
const bareOf = (text: string): string => text.replaceAll(',', '')

const cases: Readonly<Record<string, string>> = {
  'an empty file': '',
  'an empty table': '{}',
  'an empty table in two lines': '{\n}\n',
  'other settings': '{\n  "model": "opus"\n}\n',
  'in tabs': '{\n\t"model": "opus"\n}\n',
  'in four blanks': '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}',
  'line ends of another system': '{\r\n  "model": "opus"\r\n}\r\n',
  'a byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'a trailing comma': '{\n  "model": "opus",\n}\n',
  'a comment behind the last': '{\n  "model": "opus" // the big one\n}\n',
  'a comment behind a trailing comma': '{\n  "model": "opus", /* why */ // because\n}\n',
  'a comment with a brace': '{\n  // not } here\n  "model": "opus"\n  /* , */\n}\n',
  'in one line': '{"model":"opus"}',
  'in one line with a list': '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}',
  'other hooks': '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ]\n  }\n}\n',
  'hooks of the same event':
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [] } // mine\n    ]\n  },\n  "z": 1\n}\n',
  'an empty list': '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
  'only a comment inside': '{\n  // nothing yet\n}\n',
}

describe('an entry is put into settings', () => {
  for (const [name, text] of Object.entries(cases))
    it(name, () => {
      const after = appendItem(text, PATH, ENTRY)
      const before = text.trim() === '' ? {} : nodeValue(parseJsonc(text))
      const told = nodeValue(parseJsonc(after)) as { hooks: { PreToolUse: unknown[] } }
      expect(told.hooks.PreToolUse.at(-1)).toEqual(ENTRY)
      // and nothing else changed in meaning
      const rest = structuredClone(told) as { hooks?: { PreToolUse?: unknown[] } }
      rest.hooks?.PreToolUse?.pop()
      const bare = JSON.stringify(rest).replace('"PreToolUse":[],', '').replace(',"PreToolUse":[]', '')
      const asBefore = JSON.stringify(before).replace('"PreToolUse":[],', '').replace(',"PreToolUse":[]', '')
      const tidy = (json: string) => json.replace(/,?"hooks":\{("PreToolUse":\[\])?\}/, '').replace('{,', '{')
      expect(tidy(bare)).toBe(tidy(asBefore))
      // every line that was there is there still
      for (const line of text.split(/\r?\n/).filter(one => /[^\s{}[\],]/.test(one)))
        expect(bareOf(after)).toContain(bareOf(line.trim().replace(/[\]}]+$/, '')))
      expect(after.includes('\r\n')).toBe(text.includes('\r\n'))
      expect(after.replaceAll('\r\n', '').includes('\n') && text.includes('\r\n')).toBe(false)
      expect(after).toMatchSnapshot()
    })
})

describe('and taken out again', () => {
  for (const [name, text] of Object.entries(cases))
    it(name, () => {
      const after = removeItems(appendItem(text, PATH, ENTRY), PATH, isOurs)
      expect(after).not.toContain('signalbox')
      const before = text.trim() === '' ? {} : (nodeValue(parseJsonc(text)) as { hooks?: { PreToolUse?: unknown[] } })
      if (before.hooks?.PreToolUse?.length === 0) delete before.hooks.PreToolUse
      if (before.hooks && Object.keys(before.hooks).length === 0) delete before.hooks
      expect(nodeValue(parseJsonc(after))).toEqual(before)
    })
})

it('a file that says a key twice, or something else there, is left alone', () => {
  expect(() => appendItem('{"hooks":{},"hooks":{}}', PATH, ENTRY)).toThrow('has `hooks` twice')
  expect(() => appendItem('{"hooks":[]}', PATH, ENTRY)).toThrow('has no object at `hooks`')
  expect(() => appendItem('{"hooks":{"PreToolUse":{}}}', PATH, ENTRY)).toThrow('has no list at `hooks.PreToolUse`')
  expect(() => appendItem('{"hooks": }', PATH, ENTRY)).toThrow('no JSON')
  expect(() => appendItem('{"a": 1', PATH, ENTRY)).toThrow('is missing')
})

it('any JSON: the entry goes in, and the rest stays what it was', () => {
  const settings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t')
  fc.assert(
    fc.property(settings, indent, (value, unit) => {
      fc.pre(!('hooks' in value) && !('__proto__' in value))
      const text = JSON.stringify(value, null, unit)
      const { hooks, ...rest } = JSON.parse(appendItem(text, PATH, ENTRY))
      expect(hooks).toEqual({ PreToolUse: [ENTRY] })
      expect(JSON.stringify(rest)).toBe(JSON.stringify(JSON.parse(text)))
      const back = removeItems(appendItem(text, PATH, ENTRY), PATH, isOurs)
      expect(JSON.parse(back)).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})
