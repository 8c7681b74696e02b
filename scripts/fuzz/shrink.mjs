/** The shortest line that still does it, by leaving out more and more of it. */
export async function shrink(line, stillDoes) {
  let text = line
  for (let size = Math.max(1, text.length >> 1); size > 0; size = size > 1 ? size >> 1 : 0) {
    for (let at = 0; at + size <= text.length; ) {
      const shorter = text.slice(0, at) + text.slice(at + size)
      if (await stillDoes(shorter)) text = shorter
      else at += 1
    }
  }
  return text
}
