/** Joins the texts that are not empty, each once, in the given order. Most lists hold one text or none. */
export const joinDistinct = (texts: readonly string[], between: string): string => {
  const said = texts.filter(text => text !== '')
  return said.length > 1 ? [...new Set(said)].join(between) : (said[0] ?? '')
}
