// Which module of the one program is which of the other.

/** The statements of a module without any name: what a moved module keeps. */
const shapeOf = ({ statements }) =>
  JSON.stringify(statements, (field, value) => {
    if (field === 'start' || field === 'end' || field === 'name' || field === 'shorthand') return undefined
    return typeof value === 'bigint' ? String(value) : value
  })

const uniqueShapes = modules => {
  const byShape = new Map()
  for (const one of modules) byShape.set(shapeOf(one), [...(byShape.get(shapeOf(one)) ?? []), one])
  return new Map([...byShape].flatMap(([shape, same]) => (same.length === 1 ? [[shape, same[0]]] : [])))
}

/** Old path → new path: as `moves` says, else the same path, else the only module of the same shape. */
export function pairModules(old, now, moves) {
  const pairs = new Map()
  const isFree = path => now.modules.has(path) && !taken.has(path)
  const taken = new Set()
  const pair = (path, to) => {
    pairs.set(path, to)
    taken.add(to)
  }
  for (const path of old.modules.keys()) if (moves.has(path) && isFree(moves.get(path))) pair(path, moves.get(path))
  for (const path of old.modules.keys()) if (!pairs.has(path) && !moves.has(path) && isFree(path)) pair(path, path)
  const left = [...old.modules.values()].filter(one => !pairs.has(one.path) && one.statements.length > 0)
  const right = uniqueShapes([...now.modules.values()].filter(one => isFree(one.path)))
  for (const [shape, { path }] of uniqueShapes(left)) if (right.has(shape)) pair(path, right.get(shape).path)
  return pairs
}
