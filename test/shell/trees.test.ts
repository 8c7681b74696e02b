import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/** Writes and deletes, with what they do to all that is below. */
const trees = (line: string): string[] =>
  analyseShellLine(line).acts.flatMap(({ action, place }) => {
    if (!place || action === 'read') return []
    const { lexical, whole, named } = place
    return [`${action} ${lexical ?? '?'}${whole ? ' whole' : ''}${named ? ` named ${named.join(' ')}` : ''}`]
  })

describe('what changes with a folder', () => {
  it.each([
    ['chmod -R 000 d', ['write d whole']],
    ['chmod 000 d', ['write d whole']],
    ['chmod -R 000 .', ['write .']],
    ['chown -R bob d e', ['write d whole', 'write e whole']],
    ['ln -sfn x d', ['write d whole', 'write d/x whole']],
    ['mv x d', ['delete x', 'write d whole', 'write d/x whole']],
    ['mv x.md d', ['delete x.md', 'write d', 'write d/x.md']],
    ['mv x d/', ['delete x', 'write d/x whole']],
    ['cp x d', ['write d', 'write d/x']],
    ['cp -r x d', ['write d whole', 'write d/x whole']],
    ['cp -r x d/', ['write d/x whole']],
    ['cp -r x/. d/', ['write d/ whole']],
    ['cp -a x/./ d/', ['write d/ whole']],
    ['cp -t d/ -r x/.', ['write d/ whole']],
    ['cp -r .. d/', ['write d/ whole']],
    ['cp -r x/. ./', ['write ./']],
    ['cp -r x/ d/', ['write d/x whole', 'write d/ whole']],
    ['cp x/a.md y.md d/', ['write d/a.md', 'write d/y.md']],
    ['rsync -a x/ d/', ['write d/ whole']],
    ['rsync -a x/ ./', ['write ./']],
    ['tar xf a.tar -C d', ['write d whole']],
    ['tar xf a.tar', ['write .']],
    ['unzip a.zip -d d', ['write d whole']],
    ['mkdir d', ['write d']],
    ['git restore d', ['write d whole']],
    ['git restore .', ['write .']],
    ['git checkout -- d', ['write d whole']],
    ['git checkout main', ['write main whole', 'write .']],
    ['git stash', ['write .']],
    ['git stash -u', ['write .', 'delete .']],
    ['git stash push --include-untracked d', ['write d whole', 'delete d']],
    ['git stash pop', ['write .']],
  ])('%j', (line, expected) => {
    expect(trees(line)).toEqual(expected)
  })
})

describe('what `find` finds', () => {
  it.each([
    ["find . -name '*.pyc' -delete", ['delete . named *.pyc']],
    ["find a b -type f -name '*.pyc' -delete", ['delete a named *.pyc', 'delete b named *.pyc']],
    ["find . \\( -name a -o -name 'b*' \\) -delete", ['delete . named a b*']],
    ['find . -delete -name a', ['delete .']],
    ['find . -name a -o -type f -delete', ['delete .']],
    ['find . -not -name a -delete', ['delete .']],
    ['find . ! -name a -delete', ['delete .']],
    ['find . -iname a -delete', ['delete .']],
    ['find . -name "$X" -delete', ['delete .']],
    ['find . -exec x -name a \\; -delete', ['delete .']],
    ['find d -name a -exec rm {} +', ['delete ?', 'delete d whole named a']],
    ['find d -exec sed -i s/a/b/ {} \\;', ['write ?', 'write d whole']],
    ["find d -exec sh -c 'rm {}' \\;", []],
  ])('%j', (line, expected) => {
    expect(trees(line)).toEqual(expected)
  })
})

describe('a second name for a file', () => {
  it.each([
    ['ln a b.txt', ['write a', 'write b.txt whole']],
    ['ln -s a b.txt', ['write b.txt whole']],
    ['ln -s a b.txt; echo > b.txt', ['write b.txt whole', 'write b.txt', 'write a']],
    ['ln -s /x/d l && rm ./l/f', ['write l whole', 'write l/d whole', 'delete ./l/f', 'delete /x/d/f']],
    ['cd s && ln -s ../a b.txt && echo > b.txt', ['write s/b.txt whole', 'write s/b.txt', 'write s/../a']],
    ['echo > b.txt; ln -s a b.txt', ['write b.txt', 'write b.txt whole']],
    ["bash -c 'ln -s a b.txt; echo > b.txt'", ['write b.txt whole', 'write b.txt', 'write a']],
    ['ln -s $X b.txt; echo > b.txt', ['write b.txt whole', 'write b.txt', 'write ?']],
  ])('%j', (line, expected) => {
    expect(trees(line)).toEqual(expected)
  })
})
