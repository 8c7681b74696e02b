import { describe, expect, it } from 'vitest'
import { parsePatchActions } from '../../src/engine/shell/index.ts'
import { tell, touched } from './action-text.ts'

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

describe('readPatch', () => {
  it.each([
    ['adds', patch('*** Add File: src/a b.ts', '+x'), ['write src/a b.ts']],
    ['updates', patch('*** Update File: a', '@@', '-x', '+y'), ['write a']],
    ['deletes', patch('*** Delete File: a'), ['delete a']],
    ['moves', patch('*** Update File: a', '*** Move to: b', '@@'), ['write a', 'delete a', 'write b']],
    ['does several', patch('*** Add File: a', '+x', '*** Delete File: b'), ['write a', 'delete b']],
    ['reads carriage returns', patch('*** Add File: a', '+x').replaceAll('\n', '\r\n'), ['write a']],
    ['takes added lines for data', patch('*** Add File: a', '+*** Delete File: b'), ['write a']],
    ['cannot tell an empty patch', patch(), ['opaque']],
    ['cannot tell other text', 'rm x', ['opaque']],
    ['cannot tell nothing', '', ['opaque']],
  ])('%s', (_name, text, expected) => {
    expect(parsePatchActions(text).map(tell)).toEqual(expected)
  })
  it('is used for the program', () => {
    const text = patch('*** Update File: a', '@@')
    expect(touched(`apply_patch <<'E'\n${text}\nE`)).toEqual(['write a'])
    expect(touched(`cd app && apply_patch '${text}'`)).toEqual(['write app/a'])
    expect(touched(`cat <<'E' | apply_patch\n${text}\nE`)).toEqual(['write a'])
  })
})
