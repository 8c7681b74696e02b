// Which module of the one program is which of the other.

/** The statements of a module without any name or path: what a moved module keeps. */
const shapeOf = ({ statements }) =>
  JSON.stringify(statements, (field, value) => {
    if (field === 'start' || field === 'end' || field === 'name' || field === 'shorthand') return undefined
    if (value?.type === 'ImportExpression') return value.type
    return typeof value === 'bigint' ? String(value) : value
  })

const uniqueShapes = modules => {
  const byShape = new Map()
  for (const one of modules) byShape.set(shapeOf(one), [...(byShape.get(shapeOf(one)) ?? []), one])
  return new Map([...byShape].flatMap(([shape, same]) => (same.length === 1 ? [[shape, same[0]]] : [])))
}

/** Old path → new path: as `moves` says, else the same path, else the only module of the same shape, else as `guesses` says. */
export function pairModules(old, now, moves, guesses) {
  const pairs = new Map()
  const taken = new Set()
  const isFree = path => now.modules.has(path) && !taken.has(path)
  const pair = (path, to) => {
    pairs.set(path, to)
    taken.add(to)
  }
  const pairAs = (list, mayPair) => {
    for (const path of old.modules.keys())
      if (!pairs.has(path) && mayPair(path) && isFree(list(path))) pair(path, list(path))
  }
  const isUnlisted = path => !moves.has(path)
  pairAs(
    path => moves.get(path),
    path => moves.has(path),
  )
  pairAs(path => path, isUnlisted)
  const left = [...old.modules.values()].filter(one => isUnlisted(one.path) && !pairs.has(one.path))
  const right = uniqueShapes([...now.modules.values()].filter(one => isFree(one.path)))
  for (const [shape, { path }] of uniqueShapes(left.filter(one => one.statements.length > 0)))
    if (right.has(shape)) pair(path, right.get(shape).path)
  pairAs(path => guesses.get(path), isUnlisted)
  return pairs
}
