/** Every text once, in the order given; most lists hold one or none. */
export const joinDistinct = (texts: readonly string[], between: string): string => {
  const said = texts.filter(text => text !== '')
  return said.length > 1 ? [...new Set(said)].join(between) : (said[0] ?? '')
}
